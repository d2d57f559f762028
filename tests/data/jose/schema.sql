-- The tables of a jose database (schema 1008) as documented in docs/formats/jose.md, for the tests.
CREATE TABLE Opening (
  Id INTEGER NOT NULL PRIMARY KEY,
  HashKey BIGINT DEFAULT 0 NOT NULL,
  Ply INTEGER,
  ECO CHAR(3) DEFAULT '-' NOT NULL,
  Name VARCHAR(255) NOT NULL,
  Soundex CHAR(6) DEFAULT '-' NOT NULL,
  KEY Opening_1 (HashKey),
  KEY Opening_2 (ECO),
  KEY Opening_3 (Name,Id),
  KEY Opening_4 (Soundex,Id)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE Player (
  Id INTEGER NOT NULL PRIMARY KEY,
  Name VARCHAR(255) NOT NULL,
  Soundex CHAR(6) DEFAULT '-' NOT NULL,
  KEY Player_1 (Name,Id),
  KEY Player_2 (Soundex,Id)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE Event (
  Id INTEGER NOT NULL PRIMARY KEY,
  Name VARCHAR(255) NOT NULL,
  Soundex CHAR(6) DEFAULT '-' NOT NULL,
  KEY Event_1 (Name,Id),
  KEY Event_2 (Soundex,Id)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE Site (
  Id INTEGER NOT NULL PRIMARY KEY,
  Name VARCHAR(255) NOT NULL,
  Soundex CHAR(6) DEFAULT '-' NOT NULL,
  KEY Site_1 (Name,Id),
  KEY Site_2 (Soundex,Id)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE Collection (
  Id INTEGER NOT NULL PRIMARY KEY,
  PId INTEGER,
  OPId INTEGER,
  Name VARCHAR(255) NOT NULL,
  Path VARCHAR(255),
  Attributes TINYINT DEFAULT 0 NOT NULL,
  SourceURL VARCHAR(255),
  LastModified TIMESTAMP NOT NULL,
  GameCount INTEGER DEFAULT 0 NOT NULL,
  KEY Collection_1 (PId),
  KEY Collection_2 (Name),
  KEY Collection_3 (Path),
  KEY Collection_4 (SourceURL),
  KEY Collection_5 (LastModified)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE Game (
  Id INTEGER NOT NULL PRIMARY KEY,
  CId INTEGER NOT NULL,
  Idx INTEGER NOT NULL,
  Attributes SMALLINT DEFAULT 0 NOT NULL,
  OCId INTEGER,
  OIdx INTEGER,
  PlyCount INTEGER DEFAULT 0 NOT NULL,
  Result TINYINT DEFAULT 0 NOT NULL,
  WhiteId INTEGER NOT NULL,
  BlackId INTEGER NOT NULL,
  WhiteELO INTEGER,
  BlackELO INTEGER,
  EventId INTEGER NOT NULL,
  SiteId INTEGER NOT NULL,
  GameDate DATE,
  EventDate DATE,
  DateFlags SMALLINT DEFAULT 0 NOT NULL,
  OpeningId INTEGER NOT NULL,
  ECO CHAR(3),
  AnnotatorId INTEGER NOT NULL,
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
  KEY Game_15 (CId,Id),
  KEY Game_16 (CId,Idx,Id)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE MoreGame (
  GId INTEGER NOT NULL PRIMARY KEY,
  WhiteTitle VARCHAR(32),
  BlackTitle VARCHAR(32),
  Round VARCHAR(32),
  Board VARCHAR(32),
  FEN VARCHAR(128),
  Info VARCHAR(255),
  Bin MEDIUMBLOB,
  Comments MEDIUMTEXT,
  PosMain MEDIUMTEXT,
  PosVar MEDIUMTEXT,
  Eval MEDIUMBLOB,
  KEY MoreGame_1 (WhiteTitle),
  KEY MoreGame_2 (BlackTitle),
  KEY MoreGame_3 (Round),
  KEY MoreGame_4 (Board),
  KEY MoreGame_5 (Info),
  FULLTEXT KEY MoreGame_6 (Comments),
  FULLTEXT KEY MoreGame_7 (PosMain),
  FULLTEXT KEY MoreGame_8 (PosVar)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
CREATE TABLE MetaInfo (
  Property VARCHAR(64) NOT NULL,
  SchemaName VARCHAR(255),
  TableName VARCHAR(255),
  Version INTEGER,
  Dirty TINYINT,
  KEY MetaInfo_1 (Property),
  KEY MetaInfo_2 (SchemaName),
  KEY MetaInfo_3 (TableName)
) ENGINE=MyISAM CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci;
INSERT INTO Opening VALUES (0, 0, 0, '-', '-', '-');
INSERT INTO Player VALUES (0, '-', '-');
INSERT INTO Event VALUES (0, '-', '-');
INSERT INTO Site VALUES (0, '-', '-');
INSERT INTO Collection VALUES (1,null,null, 'collection.clipboard', ':/1/', 16, '-', now(), 0);
INSERT INTO Collection VALUES (2,null,null, 'collection.autosave', ':/2/', 16, '-', now(), 0);
INSERT INTO Collection VALUES (3,null,null, 'collection.trash', ':/3/', 16, '-', now(), 0);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('SCHEMA_VERSION','MAIN',NULL,1008);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','Opening',101);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','Player',101);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','Event',101);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','Site',101);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','Collection',100);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','Game',102);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','MAIN','MoreGame',102);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('SCHEMA_VERSION','META',NULL,1001);
INSERT INTO MetaInfo (Property,SchemaName,TableName,Version) VALUES ('TABLE_VERSION','META','MetaInfo',101);
