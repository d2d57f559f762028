-- The tables of a database of jose 1.5 (schema 1008), as its server has them: docs/formats/jose.md. tabiya makes them
-- where they are asked for and missing. Every statement ends with a semicolon at the end of a line.

CREATE TABLE Player (
    Id      INT          NOT NULL PRIMARY KEY,
    Name    VARCHAR(255) NOT NULL,
    Soundex CHAR(6)      NOT NULL DEFAULT '-',
    KEY Player_1 (Name, Id),
    KEY Player_2 (Soundex, Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
INSERT INTO Player VALUES (0, '-', '-');

CREATE TABLE Event (
    Id      INT          NOT NULL PRIMARY KEY,
    Name    VARCHAR(255) NOT NULL,
    Soundex CHAR(6)      NOT NULL DEFAULT '-',
    KEY Event_1 (Name, Id),
    KEY Event_2 (Soundex, Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
INSERT INTO Event VALUES (0, '-', '-');

CREATE TABLE Site (
    Id      INT          NOT NULL PRIMARY KEY,
    Name    VARCHAR(255) NOT NULL,
    Soundex CHAR(6)      NOT NULL DEFAULT '-',
    KEY Site_1 (Name, Id),
    KEY Site_2 (Soundex, Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
INSERT INTO Site VALUES (0, '-', '-');

CREATE TABLE Opening (
    Id      INT          NOT NULL PRIMARY KEY,
    HashKey BIGINT       NOT NULL DEFAULT 0,
    Ply     INT          NULL,
    ECO     CHAR(3)      NOT NULL DEFAULT '-',
    Name    VARCHAR(255) NOT NULL,
    Soundex CHAR(6)      NOT NULL DEFAULT '-',
    KEY Opening_1 (HashKey),
    KEY Opening_2 (ECO),
    KEY Opening_3 (Name, Id),
    KEY Opening_4 (Soundex, Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
INSERT INTO Opening VALUES (0, 0, 0, '-', '-', '-');

CREATE TABLE Collection (
    Id           INT          NOT NULL PRIMARY KEY,
    PId          INT          NULL,
    OPId         INT          NULL,
    Name         VARCHAR(255) NOT NULL,
    Path         VARCHAR(255) NULL,
    Attributes   TINYINT      NOT NULL DEFAULT 0,
    SourceURL    VARCHAR(255) NULL,
    LastModified TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    GameCount    INT          NOT NULL DEFAULT 0,
    KEY Collection_1 (PId),
    KEY Collection_2 (Name),
    KEY Collection_3 (Path),
    KEY Collection_4 (SourceURL),
    KEY Collection_5 (LastModified)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
INSERT INTO Collection (Id, Name, Path, Attributes, SourceURL) VALUES
    (1, 'collection.clipboard', ':/1/', 16, '-'),
    (2, 'collection.autosave', ':/2/', 16, '-'),
    (3, 'collection.trash', ':/3/', 16, '-');

CREATE TABLE Game (
    Id          INT NOT NULL PRIMARY KEY,
    CId         INT NOT NULL,
    Idx         INT NOT NULL,
    Attributes  SMALLINT NOT NULL DEFAULT 0,
    OCId        INT NULL,
    OIdx        INT NULL,
    PlyCount    INT NOT NULL DEFAULT 0,
    Result      TINYINT NOT NULL DEFAULT 0,
    WhiteId     INT NOT NULL,
    BlackId     INT NOT NULL,
    WhiteELO    INT NULL,
    BlackELO    INT NULL,
    EventId     INT NOT NULL,
    SiteId      INT NOT NULL,
    GameDate    DATE NULL,
    EventDate   DATE NULL,
    DateFlags   SMALLINT NOT NULL DEFAULT 0,
    OpeningId   INT NOT NULL,
    ECO         CHAR(3) NULL,
    AnnotatorId INT NOT NULL,
    KEY Game_1 (Idx),
    KEY Game_2 (Attributes),
    KEY Game_3 (Result),
    KEY Game_4 (WhiteId),
    KEY Game_5 (BlackId),
    KEY Game_6 (WhiteELO),
    KEY Game_7 (BlackELO),
    KEY Game_8 (EventId),
    KEY Game_9 (SiteId),
    KEY Game_10 (GameDate),
    KEY Game_11 (EventDate),
    KEY Game_12 (OpeningId),
    KEY Game_13 (ECO),
    KEY Game_14 (AnnotatorId),
    KEY Game_15 (CId, Id),
    KEY Game_16 (CId, Idx, Id)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

CREATE TABLE MoreGame (
    GId        INT NOT NULL PRIMARY KEY,
    WhiteTitle VARCHAR(32) NULL,
    BlackTitle VARCHAR(32) NULL,
    Round      VARCHAR(32) NULL,
    Board      VARCHAR(32) NULL,
    FEN        VARCHAR(128) NULL,
    Info       VARCHAR(255) NULL,
    Bin        MEDIUMBLOB NULL,
    Comments   MEDIUMTEXT NULL,
    PosMain    MEDIUMTEXT NULL,
    PosVar     MEDIUMTEXT NULL,
    Eval       MEDIUMBLOB NULL,
    KEY MoreGame_1 (WhiteTitle),
    KEY MoreGame_2 (BlackTitle),
    KEY MoreGame_3 (Round),
    KEY MoreGame_4 (Board),
    KEY MoreGame_5 (Info),
    FULLTEXT KEY MoreGame_6 (Comments),
    FULLTEXT KEY MoreGame_7 (PosMain),
    FULLTEXT KEY MoreGame_8 (PosVar)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;

CREATE TABLE MetaInfo (
    Property   VARCHAR(64)  NOT NULL,
    SchemaName VARCHAR(255) NULL,
    TableName  VARCHAR(255) NULL,
    Version    INT          NULL,
    Dirty      TINYINT      NULL,
    KEY MetaInfo_1 (Property),
    KEY MetaInfo_2 (SchemaName),
    KEY MetaInfo_3 (TableName)
) ENGINE = MyISAM DEFAULT CHARSET = utf8mb3;
INSERT INTO MetaInfo (Property, SchemaName, TableName, Version) VALUES
    ('SCHEMA_VERSION', 'MAIN', NULL, 1008),
    ('TABLE_VERSION', 'MAIN', 'Opening', 101),
    ('TABLE_VERSION', 'MAIN', 'Player', 101),
    ('TABLE_VERSION', 'MAIN', 'Event', 101),
    ('TABLE_VERSION', 'MAIN', 'Site', 101),
    ('TABLE_VERSION', 'MAIN', 'Collection', 100),
    ('TABLE_VERSION', 'MAIN', 'Game', 102),
    ('TABLE_VERSION', 'MAIN', 'MoreGame', 102),
    ('SCHEMA_VERSION', 'META', NULL, 1001),
    ('TABLE_VERSION', 'META', 'MetaInfo', 101);
