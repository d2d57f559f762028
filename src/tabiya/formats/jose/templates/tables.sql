-- The tables of an archive of jose 1.5, written by hand from docs/formats/jose.md. The files beside this one are what
-- MariaDB makes of them while they are empty (scripts/jose_templates.py). The order of the columns is jose's: archives
-- are read by it. There are no keys, so an index file is nothing but a header.

CREATE TABLE MetaInfo (
    Property    VARCHAR(64)  NOT NULL,
    SchemaName  VARCHAR(255) NULL,
    TableName   VARCHAR(255) NULL,
    Version     INT          NULL,
    Dirty       TINYINT      NULL
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

CREATE TABLE IO_Collection (
    Id          INT          NOT NULL,
    PId         INT          NOT NULL,
    Name        VARCHAR(255) NOT NULL,
    Attributes  TINYINT      NOT NULL,
    SourceURL   VARCHAR(255) NULL,
    GameCount   INT          NOT NULL
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

CREATE TABLE IO_Player (
    Id          INT          NOT NULL,
    Name        VARCHAR(255) NOT NULL
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
CREATE TABLE IO_Event LIKE IO_Player;
CREATE TABLE IO_Site LIKE IO_Player;

CREATE TABLE IO_Opening (
    Id          INT          NOT NULL,
    HashKey     BIGINT       NOT NULL,
    Ply         INT          NULL,
    ECO         CHAR(3)      NOT NULL,
    Name        VARCHAR(255) NOT NULL
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

CREATE TABLE IO_Game (
    CId         INT          NOT NULL,
    Idx         INT          NOT NULL,
    Attributes  TINYINT      NOT NULL,
    PlyCount    INT          NOT NULL,
    Result      TINYINT      NOT NULL,
    WhiteId     INT          NOT NULL,
    BlackId     INT          NOT NULL,
    WhiteELO    INT          NULL,
    BlackELO    INT          NULL,
    EventId     INT          NOT NULL,
    SiteId      INT          NOT NULL,
    GameDate    DATE         NULL,
    EventDate   DATE         NULL,
    DateFlags   SMALLINT     NOT NULL,
    OpeningId   INT          NOT NULL,
    ECO         CHAR(3)      NULL,
    AnnotatorId INT          NULL,
    WhiteTitle  VARCHAR(32)  NULL,
    BlackTitle  VARCHAR(32)  NULL,
    Round       VARCHAR(32)  NULL,
    Board       VARCHAR(32)  NULL,
    FEN         VARCHAR(128) NULL,
    Info        VARCHAR(255) NULL,
    Bin         MEDIUMBLOB   NULL,
    Comments    MEDIUMTEXT   NULL,
    PosMain     MEDIUMTEXT   NULL,
    PosVar      MEDIUMTEXT   NULL,
    Eval        MEDIUMBLOB   NULL
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
