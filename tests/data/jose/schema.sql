-- A small database of jose, for tests on machines that lack the sample of its real schema: the columns that the facts
-- in docs/formats/jose.md name, and only such keys as reading and writing lean on. Written by hand.

-- Folders. A path is that of the parent, then the own number; those of the system begin with a colon.
CREATE TABLE Collection (
    Id           INT          NOT NULL,
    Name         VARCHAR(255) NOT NULL,
    PId          INT          NULL,
    OPId         INT          NULL,
    Path         VARCHAR(255) NULL,
    SourceURL    VARCHAR(255) NULL,
    Attributes   TINYINT      NOT NULL DEFAULT 0,
    GameCount    INT          NOT NULL DEFAULT 0,
    LastModified TIMESTAMP    NOT NULL,
    PRIMARY KEY (Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

-- Names: row 0 is the unknown one.
CREATE TABLE Player (
    Id      INT          NOT NULL,
    Name    VARCHAR(255) NOT NULL,
    Soundex CHAR(6)      NOT NULL DEFAULT '-',
    PRIMARY KEY (Id),
    KEY (Name)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
CREATE TABLE Event LIKE Player;
CREATE TABLE Site LIKE Player;
CREATE TABLE Opening LIKE Player;
ALTER TABLE Opening
    ADD ECO     CHAR(3) NOT NULL DEFAULT '-',
    ADD Ply     INT     NULL,
    ADD HashKey BIGINT  NOT NULL DEFAULT 0;

-- Games: what lists of games show ...
CREATE TABLE Game (
    Id          INT      NOT NULL,
    CId         INT      NOT NULL,
    Idx         INT      NOT NULL,
    OCId        INT      NULL,
    OIdx        INT      NULL,
    WhiteId     INT      NOT NULL,
    BlackId     INT      NOT NULL,
    EventId     INT      NOT NULL,
    SiteId      INT      NOT NULL,
    OpeningId   INT      NOT NULL,
    AnnotatorId INT      NOT NULL,
    WhiteELO    INT      NULL,
    BlackELO    INT      NULL,
    ECO         CHAR(3)  NULL,
    Result      TINYINT  NOT NULL DEFAULT 0,
    PlyCount    INT      NOT NULL DEFAULT 0,
    Attributes  SMALLINT NOT NULL DEFAULT 0,
    GameDate    DATE     NULL,
    EventDate   DATE     NULL,
    DateFlags   SMALLINT NOT NULL DEFAULT 0,
    PRIMARY KEY (Id),
    KEY (CId, Idx, Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

-- ... and the rest, with the moves.
CREATE TABLE MoreGame (
    GId        INT          NOT NULL,
    Bin        MEDIUMBLOB   NULL,
    Comments   MEDIUMTEXT   NULL,
    Eval       MEDIUMBLOB   NULL,
    FEN        VARCHAR(128) NULL,
    Info       VARCHAR(255) NULL,
    Round      VARCHAR(32)  NULL,
    Board      VARCHAR(32)  NULL,
    WhiteTitle VARCHAR(32)  NULL,
    BlackTitle VARCHAR(32)  NULL,
    PosMain    MEDIUMTEXT   NULL,
    PosVar     MEDIUMTEXT   NULL,
    PRIMARY KEY (GId),
    FULLTEXT KEY (Comments)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

INSERT INTO Player (Id, Name) VALUES (0, '-');
INSERT INTO Event (Id, Name) VALUES (0, '-');
INSERT INTO Site (Id, Name) VALUES (0, '-');
INSERT INTO Opening (Id, Name) VALUES (0, '-');
INSERT INTO Collection (Id, Name, Path, Attributes, LastModified) VALUES
    (1, 'collection.clipboard', ':/1/', 16, NOW()),
    (2, 'collection.autosave', ':/2/', 16, NOW()),
    (3, 'collection.trash', ':/3/', 16, NOW());
