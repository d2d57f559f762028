/** The answers of the server. Made by scripts/web_types.py from src/tabiya/web/answers: do not edit. */

export type SourceKind = "database" | "book";

export type Origin = "argument" | "root" | "upload";

export type Slot = "move" | "position" | "prefix" | "other";

/** What this server is, and what it may do. */
export interface About {
  name: string;
  version: string;
  /** Whether databases may be changed. */
  write: boolean;
  /** The folder below which all files are served. */
  root?: string | null;
  /** How many bytes the files of an upload may have together. */
  max_upload?: number;
  /** Whether the page was built. */
  page?: boolean;
  /** Whether databases are remembered that the user opened. */
  recent?: boolean;
}

/** A database or an opening book. */
export interface Source {
  id: string;
  kind: SourceKind;
  name: string;
  path?: string;
  format: string;
  format_title?: string;
  /** Changes whenever the file does; null until the source is opened. */
  generation: string | null;
  open: boolean;
  /** Records or positions that are known so far. */
  records?: number | null;
  /** Whether all records have been counted. */
  complete: boolean;
  /** From 0 to 1, where it is known. */
  progress?: number | null;
  /** Whether positions are found without reading all games. */
  indexed?: boolean;
  /** Whether games can be added. */
  append?: boolean;
  /** Whether games can be replaced. */
  replace?: boolean;
  /** Whether a library can be made beside it. */
  library?: boolean;
  origin?: Origin;
  /** Bytes of its files. */
  size?: number;
  /** Why it could not be opened. */
  error?: string | null;
  /** What is unusual about its files: one is missing, for example. */
  remarks?: string[];
}

/** An open source with everything that is known about it. */
export interface SourceDetails {
  id: string;
  kind: SourceKind;
  name: string;
  path?: string;
  format: string;
  format_title?: string;
  /** Changes whenever the file does; null until the source is opened. */
  generation: string | null;
  open: boolean;
  /** Records or positions that are known so far. */
  records?: number | null;
  /** Whether all records have been counted. */
  complete: boolean;
  /** From 0 to 1, where it is known. */
  progress?: number | null;
  /** Whether positions are found without reading all games. */
  indexed?: boolean;
  /** Whether games can be added. */
  append?: boolean;
  /** Whether games can be replaced. */
  replace?: boolean;
  /** Whether a library can be made beside it. */
  library?: boolean;
  origin?: Origin;
  /** Bytes of its files. */
  size?: number;
  /** Why it could not be opened. */
  error?: string | null;
  /** What is unusual about its files: one is missing, for example. */
  remarks?: string[];
  /** Facts that only its format has, by name. */
  details: Record<string, string | number>;
  problems: string[];
}

/** All sources that are known by now. */
export interface Sources {
  sources: Source[];
  /** Whether the root folder is still being searched. */
  looking?: boolean;
}

/** A database or a book that the user opened before. */
export interface RecentSource {
  /** Its number, by which it is opened; valid for this run of the server. */
  recent: number;
  kind: SourceKind;
  name: string;
  path: string;
  format_title: string;
  /** When, in UTC: 2026-11-09T18:30:00Z. */
  opened: string;
  records: number | null;
  size: number | null;
  /** Whether the file is gone. */
  missing: boolean;
}

/** What the start page shows beside the list of sources. */
export interface Home {
  /** The latest first, without those that are open. */
  recent: RecentSource[];
}

/** A place for files that follow one by one. */
export interface Upload {
  upload: string;
  max_bytes: number;
}

/** The sources in an upload. */
export interface OpenedUpload {
  sources: Source[];
}

/** A condition that a list of games or a search can have. */
export interface Condition {
  name: string;
  kind: "text" | "texts" | "number" | "flag" | "choice" | "choices";
  help?: string;
  metavar?: string;
  choices?: string[];
  /** Whether it modifies other conditions. */
  modifies?: boolean;
}

/** A symbol of a move or a position. */
export interface Glyph {
  nag: number;
  glyph: string;
  slot: Slot;
}

/** A language of comments. */
export interface Language {
  code: string;
  name: string;
}

/** The letters of pieces in the notation of a language. */
export interface PieceLetters {
  /** Two letters: de. */
  language: string;
  /** Of king, queen, rook, bishop, knight and pawn. */
  letters: string[];
}

/** The words of the API, for forms. */
export interface Vocabulary {
  headers: Condition[];
  position: Condition[];
  /** Columns that lists can be sorted by. */
  sort: string[];
  nags: Glyph[];
  languages: Language[];
  piece_letters: PieceLetters[];
  colors: string[];
}

/** A way to write a format. */
export interface Profile {
  name: string;
  title?: string;
}

/** An option of a format that is written. */
export interface FormatOption {
  name: string;
  help?: string;
  kind: "text" | "number" | "flag";
  /** Whether the flag is set by default. */
  on?: boolean;
}

/** A format of databases or opening books. */
export interface Format {
  name: string;
  title: string;
  suffixes: string[];
  write: boolean;
  /** Whether games can be added to a database of it. */
  append?: boolean;
  book: boolean;
  profiles?: Profile[];
  options?: FormatOption[];
}

/** All formats. */
export interface Formats {
  formats: Format[];
}

/** Something that the target format cannot store. */
export interface Loss {
  what: string;
  /** The same in words. */
  text?: string | null;
  count: number;
  /** The number of the first record that lost it. */
  first?: number | null;
  sentence?: string;
}

/** What was converted, and what was lost. */
export interface Report {
  read: number;
  written: number;
  /** Whether nothing was lost. */
  clean: boolean;
  losses: Loss[];
  problems: number;
  first_problems?: string[];
  remarks?: string[];
}

/** A conversion, running or finished. */
export interface Job {
  job: string;
  state: "running" | "done" | "failed" | "cancelled";
  records?: number | null;
  progress?: number | null;
  source: string;
  generation?: string;
  format: string;
  file?: string | null;
  bytes?: number | null;
  /** The address of the result. */
  download?: string | null;
  /** The source that the result was opened as, if it is kept on disk. */
  made?: string | null;
  report?: Report | null;
  error?: string | null;
}

/** All conversions. */
export interface Jobs {
  conversions: Job[];
}

/** Why a request failed. */
export interface Failure {
  status: number;
  /** The status as a word, for programs. */
  code: string;
  sentence: string;
}

/** The answer to a request that failed. */
export interface Error {
  error: Failure;
}

export type RecordKind = "game" | "text" | "opaque";

export type Color = "white" | "black";

export type Side = "before" | "after" | "late";

export type Promotion = "n" | "b" | "r" | "q";

export type BlockType = "paragraph" | "heading" | "item" | "quote" | "code" | "rule" | "table" | "diagram" | "picture" | "audio" | "video";

/** How far a list is. */
export interface Status {
  query: string;
  source: string;
  generation: string;
  /** Rows that are known so far. */
  total: number;
  complete: boolean;
  progress?: number | null;
  sorted?: boolean;
  /** Whether rows contain the place of the match in the game. */
  has_plies?: boolean;
  error?: string | null;
}

/** A row of a list. */
export interface Row {
  number: number;
  kind: RecordKind;
  deleted?: boolean;
  white?: string | null;
  white_elo?: number | null;
  black?: string | null;
  black_elo?: number | null;
  result?: string | null;
  date?: string | null;
  eco?: string | null;
  event?: string | null;
  site?: string | null;
  round?: string | null;
  annotator?: string | null;
  plies?: number | null;
  variant?: string | null;
  /** The start position, if it is not the usual one. */
  start?: string | null;
  /** variations, annotations, setup. */
  has?: string[];
  /** Of a guiding text. */
  title?: string | null;
  /** Half-moves before the first position that was found. */
  ply?: number | null;
  move?: string | null;
}

/** Some rows of a list. */
export interface Rows {
  query: string;
  source: string;
  generation: string;
  /** Rows that are known so far. */
  total: number;
  complete: boolean;
  progress?: number | null;
  sorted?: boolean;
  /** Whether rows contain the place of the match in the game. */
  has_plies?: boolean;
  error?: string | null;
  offset: number;
  rows: Row[];
  /** The cursor of the next rows. */
  next: string | null;
}

/** Where a record is in a list. */
export interface Place {
  query: string;
  source: string;
  generation: string;
  /** Rows that are known so far. */
  total: number;
  complete: boolean;
  progress?: number | null;
  sorted?: boolean;
  /** Whether rows contain the place of the match in the game. */
  has_plies?: boolean;
  error?: string | null;
  /** Null if the list does not contain it. */
  offset: number | null;
}

/** The name of an opening. */
export interface Opening {
  eco: string;
  name: string;
}

/** A comment before or after a move. */
export interface Comment {
  text: string;
  /** ChessBase's three letters; "" is all languages. */
  language: string;
  side: Side;
}

/** A coloured square. */
export interface Marked {
  color: string;
  square: string;
}

export interface Arrow {
  color: string;
  from: string;
  to: string;
}

/** An evaluation: pawns, or moves to mate. */
export interface Evaluation {
  pawns?: number | null;
  mate?: number | null;
  depth?: number | null;
}

/** A text in one language. */
export interface Translated {
  language: string;
  text: string;
}

/** A move that solves a training question. */
export interface Solution {
  uci: string;
  san?: string;
  points?: number | null;
  texts?: Translated[];
}

/** A training question. */
export interface Training {
  seconds?: number | null;
  points?: number | null;
  questions?: Translated[];
  hints?: Translated[][];
  solutions?: Solution[];
}

/** A link of a move; without an address if that cannot be followed safely. */
export interface Link {
  url?: string;
  text?: string | null;
}

/** A picture, sound or video of a move. */
export interface Medium {
  kind: "picture" | "sound" | "video";
  url?: string | null;
  text?: string | null;
  language?: string;
}

/** A quotation of another game. */
export interface Quotation {
  text: string;
}

/** Annotations of a move; the page edits some of them, the others travel in `stored`. */
export interface Remarks {
  nags?: number[] | null;
  comments?: Comment[] | null;
  squares?: Marked[] | null;
  arrows?: Arrow[] | null;
  /** Seconds. */
  clock?: number | null;
  /** Seconds. */
  time_spent?: number | null;
  eval?: Evaluation | null;
  /** Sent back unchanged. */
  stored?: unknown;
}

/** A move of a game and the position after it; the first node is the start. */
export interface ApiNode {
  nags?: number[] | null;
  comments?: Comment[] | null;
  squares?: Marked[] | null;
  arrows?: Arrow[] | null;
  /** Seconds. */
  clock?: number | null;
  /** Seconds. */
  time_spent?: number | null;
  eval?: Evaluation | null;
  /** Sent back unchanged. */
  stored?: unknown;
  id?: number;
  /** The place of the node before it in the list. */
  parent: number | null;
  /** 23.1.4: 23 plies along the main line, the first alternative, 4 plies into it. */
  path?: string;
  ply?: number;
  /** The number of the move. */
  number?: number;
  color?: Color;
  san?: string | null;
  uci?: string | null;
  fen?: string | null;
  check?: boolean;
  medals?: string[] | null;
  critical?: string | null;
  training?: Training[] | null;
  links?: Link[] | null;
  media?: Medium[] | null;
  quotes?: Quotation[] | null;
  variation_color?: string | null;
  /** Seconds on the clock of the opponent. */
  other_clock?: number | null;
  unreadable?: string | null;
  /** Annotations that are not shown, by name. */
  others?: string[] | null;
  opening?: Opening | null;
}

/** Where a link within a database leads. */
export interface Reference {
  kind: "text" | "game" | "player";
  /** The title of the text; the player; or White, Black and the event of the game. */
  names: string[];
}

export interface Span {
  text?: string;
  break?: boolean;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  code?: boolean;
  /** #rrggbb */
  color?: string | null;
  /** http, https or mailto. */
  link?: string | null;
  to?: Reference;
}

/** A block of a guiding text. */
export interface Block {
  type: BlockType;
  spans?: Span[];
  level?: number;
  align?: string | null;
  ordered?: boolean;
  depth?: number;
  fen?: string;
  url?: string | null;
  text?: string | null;
  rows?: Span[][][];
}

/** A guiding text in one language. */
export interface Text {
  language: string;
  title?: string | null;
  blocks: Block[];
}

/** A game, or a guiding text. */
export interface ApiGame {
  source?: string;
  generation?: string;
  number?: number;
  kind: RecordKind;
  deleted?: boolean;
  /** How many records the database has. */
  records?: number;
  tags: [string, string][];
  title?: string;
  result?: string | null;
  chess960?: boolean;
  start?: string | null;
  opening?: Opening | null;
  languages?: string[];
  nodes?: ApiNode[];
  /** Whether the game has more nodes than these. */
  truncated?: boolean;
  problems?: string[];
  /** Of the main line, by ply. */
  evaluations?: (Evaluation | null)[] | null;
  texts?: Text[];
}

/** How a side played a game, or a phase of it. */
export interface Performance {
  /** Evaluated moves. */
  moves: number;
  /** From 0 to 100. */
  accuracy: number | null;
  /** The average. */
  centipawn_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

/** How a side played a game. */
export interface SidePerformance {
  /** Evaluated moves. */
  moves: number;
  /** From 0 to 100. */
  accuracy: number | null;
  /** The average. */
  centipawn_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** By opening, middlegame, endgame. */
  phases: Record<string, Performance>;
}

/** Both sides of a game. */
export interface Sides {
  white: SidePerformance;
  black: SidePerformance;
}

/** A move with an evaluation. */
export interface EvaluatedMove {
  /** Half-moves before it. */
  ply: number;
  move: string;
  /** After the move: +0.35, #-3. */
  evaluation: string;
  before: string;
  /** White's win chances after the move, in percent. */
  chances: number;
  /** Points of win chances that the move loses. */
  lost: number | null;
  accuracy: number | null;
  /** inaccuracy, mistake, blunder or nothing. */
  judgement: string;
  phase: string;
}

/** The report of a game with evaluations. */
export interface GameReport {
  number?: number;
  white: string | null;
  black: string | null;
  result: string | null;
  sides: Sides;
  moves: EvaluatedMove[];
}

/** The games of a PGN text. */
export interface Games {
  games: ApiGame[];
}

/** A game as PGN. */
export interface Pgn {
  pgn: string;
  losses: string[];
}

/** Where a game was saved. */
export interface Saved {
  source: string;
  number: number;
  generation: string;
  losses?: string[];
  remarks?: string[];
}

/** What became of the games of a list that were added to a database. */
export interface Collected {
  source: string;
  added: number;
  generation: string;
  losses: string[];
  remarks: string[];
}

/** A move that passes. */
export interface NullMove {
  uci: string;
  san: string;
  /** The position after it. */
  fen: string;
  check?: boolean;
}

/** A legal move, and the position after it. */
export interface LegalMove {
  uci: string;
  san: string;
  /** The position after it. */
  fen: string;
  check?: boolean;
  from: string;
  to: string;
  capture?: boolean;
  promotion?: Promotion | null;
  /** Castling: the square of the rook, on which the king may be dropped too. */
  rook?: string | null;
}

/** A move that led to a position; a null move has no squares. */
export interface PlayedMove {
  uci: string;
  san: string;
  /** The position after it. */
  fen: string;
  check?: boolean;
  from?: string;
  to?: string;
  capture?: boolean;
  promotion?: Promotion | null;
  rook?: string | null;
  number: number;
  color: Color;
}

/** A position with its legal moves. */
export interface PositionAnswer {
  fen: string;
  chess960: boolean;
  turn: Color;
  check: boolean;
  state: "playing" | "mate" | "stalemate";
  /** The Zobrist key, in hexadecimal digits. */
  key?: string;
  opening?: Opening | null;
  /** Whether a game can reach it, as far as that is known. */
  sound?: boolean;
  problems?: string[];
  moves: LegalMove[];
  null_move?: NullMove | null;
  played?: PlayedMove[];
  /** The number of a start position of Chess960. */
  number960?: number;
}

/** Games, and how they ended. */
export interface Counts {
  games: number;
  /** Won by White. */
  white: number;
  draws: number;
  /** Won by Black. Games without a result count in “games” only. */
  black: number;
  average_rating?: number | null;
  /** Of the side to move. */
  performance?: number | null;
  first_year?: number | null;
  last_year?: number | null;
}

/** A game with the position. */
export interface ExplorerGame {
  number: number;
  uci?: string | null;
  san?: string | null;
  white?: string | null;
  white_elo?: number | null;
  black?: string | null;
  black_elo?: number | null;
  result?: string | null;
  date?: string | null;
  event?: string | null;
}

/** A move that was played in the position. */
export interface ExplorerMove {
  games: number;
  /** Won by White. */
  white: number;
  draws: number;
  /** Won by Black. Games without a result count in “games” only. */
  black: number;
  average_rating?: number | null;
  /** Of the side to move. */
  performance?: number | null;
  first_year?: number | null;
  last_year?: number | null;
  uci: string;
  san: string;
  /** The position after it. */
  fen?: string;
  opening?: Opening | null;
  /** The game, if it is the only one. */
  game?: ExplorerGame | null;
}

/** A way in which games reached the position. */
export interface MoveOrder {
  moves: string[];
  games: number;
}

/** Which database was explored. */
export interface Explored {
  source: string;
  generation: string;
}

/** What was played in a position. */
export interface Exploration {
  games: number;
  /** Won by White. */
  white: number;
  draws: number;
  /** Won by Black. Games without a result count in “games” only. */
  black: number;
  average_rating?: number | null;
  /** Of the side to move. */
  performance?: number | null;
  first_year?: number | null;
  last_year?: number | null;
  source: string;
  generation: string;
  complete: boolean;
  progress?: number | null;
  fen: string;
  opening?: Opening | null;
  /** Games that end in the position. */
  ended?: number;
  moves: ExplorerMove[];
  top_games: ExplorerGame[];
  recent_games: ExplorerGame[];
  move_orders?: MoveOrder[];
}

/** How far reading the games of a database without an index is. */
export interface Exploring {
  source: string;
  generation: string;
  complete: boolean;
  progress: number | null;
  fen: string;
}

/** A player. */
export interface LichessPlayer {
  name: string;
  rating: number | null;
}

/** A game. */
export interface LichessGame {
  /** The number of the record. */
  id: string;
  uci?: string;
  winner: Color | null;
  white: LichessPlayer;
  black: LichessPlayer;
  year: number | null;
  /** 2024-05 */
  month: string | null;
}

/** A move. */
export interface LichessMove {
  uci: string;
  san: string;
  averageRating: number | null;
  white: number;
  draws: number;
  black: number;
  game: LichessGame | null;
  opening: Opening | null;
}

/** What was played in a position, as the Lichess explorer answers it. */
export interface LichessExploration {
  white: number;
  draws: number;
  black: number;
  moves: LichessMove[];
  topGames: LichessGame[];
  recentGames: LichessGame[];
  opening: Opening | null;
}

/** A player. */
export interface FrontEndPlayer {
  name: string;
  /** 0 if unknown. */
  rating: number;
}

/** A game. */
export interface MastersGame {
  /** Eight letters and digits, for /masters/pgn/{id}. */
  id: string;
  /** Castling is “king takes rook”. */
  uci?: string;
  winner: Color | null;
  black: FrontEndPlayer;
  white: FrontEndPlayer;
  /** 0 if unknown. */
  year: number;
  /** 2024-05; left out if unknown. */
  month?: string;
}

/** A game with its speed. */
export interface ServerGame {
  id: string;
  uci?: string;
  winner: Color | null;
  speed: "bullet" | "blitz" | "rapid" | "classical" | "correspondence";
  mode: "rated" | "casual";
  black: FrontEndPlayer;
  white: FrontEndPlayer;
  year: number;
  /** 2024-05; the year alone if the month is unknown. */
  month: string;
}

/** A move. */
export interface MastersMove {
  uci: string;
  san: string;
  /** 0 if unknown. */
  averageRating: number;
  white: number;
  draws: number;
  black: number;
  game: MastersGame | null;
  opening: Opening | null;
}

/** A move. */
export interface ServerMove {
  uci: string;
  san: string;
  averageRating: number;
  white: number;
  draws: number;
  black: number;
  game: ServerGame | null;
  opening: Opening | null;
}

/** A move in games of a player. */
export interface PlayerMove {
  uci: string;
  san: string;
  /** 0 if unknown. */
  averageOpponentRating: number;
  /** Of the player; 0 if unknown. */
  performance: number;
  white: number;
  draws: number;
  black: number;
  game: ServerGame | null;
  opening: Opening | null;
}

/** The answer of /masters. */
export interface MastersExploration {
  white: number;
  draws: number;
  black: number;
  moves: MastersMove[];
  topGames: MastersGame[];
  opening: Opening | null;
}

/** The answer of /lichess. */
export interface ServerExploration {
  white: number;
  draws: number;
  black: number;
  moves: ServerMove[];
  topGames: ServerGame[];
  recentGames: ServerGame[];
  opening: Opening | null;
}

/** A line of the answer of /player. */
export interface PlayerExploration {
  white: number;
  draws: number;
  black: number;
  moves: PlayerMove[];
  recentGames: ServerGame[];
  opening: Opening | null;
  /** Always 0. */
  queuePosition: number;
}

/** A move of an opening book. */
export interface BookMove {
  uci: string;
  san: string;
  /** The position after it. */
  fen?: string;
  weight?: number | null;
  /** Of the weights of all moves. */
  share?: number | null;
  games?: number | null;
  /** By the side that moves. */
  wins?: number | null;
  draws?: number | null;
  losses?: number | null;
  /** Points per game, from 0 to 1. */
  score?: number | null;
  rating?: number | null;
  performance?: number | null;
  nag?: number | null;
  /** The symbol of the move. */
  glyph?: string | null;
  /** The NAG of the position after it. */
  comment?: number | null;
  comment_glyph?: string | null;
  recommendation?: "main" | "avoid" | null;
  priority?: number | null;
  learning?: number | null;
  /** Whether it only leads to a position of the book. */
  transposition?: boolean;
}

/** The moves of an opening book. */
export interface BookAnswer {
  source?: string;
  generation?: string;
  fen: string;
  opening?: Opening | null;
  /** Whether the book has the position. */
  known: boolean;
  moves: BookMove[];
}

/** An engine that may run. */
export interface EngineProgram {
  id: string;
  /** The name of its program. */
  name: string;
}

/** The engines named on the command line, and the limits of the server. */
export interface Engines {
  engines: EngineProgram[];
  most_lines: number;
  most_seconds: number;
  most_processes: number;
}

/** From White's point of view: one of the two is a number. */
export interface EngineEvaluation {
  centipawns: number | null;
  /** Moves to mate, negative if Black mates; 0 on the board. */
  mate: number | null;
}

/** A line that an engine considers. */
export interface EngineLine {
  /** 1 for the best line. */
  rank: number;
  depth: number;
  selective_depth: number;
  evaluation: EngineEvaluation;
  /** Whether White's evaluation is at least, or at most, this. */
  bound: "lower" | "upper" | null;
  /** Wins, draws and losses of White in a thousand games. */
  wdl: number[] | null;
  /** In UCI notation. */
  moves: string[];
  san: string[];
  nodes: number;
  nodes_per_second: number;
  seconds: number;
}

/** The data of one server-sent event; `kind` is its name as well. */
export interface AnalysisEvent {
  kind: "line" | "done" | "error";
  line?: EngineLine;
  /** The engine's choice; null if the game is over, or another analysis replaced this one. */
  best?: string | null;
  evaluation?: EngineEvaluation | null;
  /** Why the analysis has failed. */
  sentence?: string;
}

/** The analysis of a game: its progress, and the game with all findings at its end. */
export interface GameAnalysis {
  analysis: string;
  state: "running" | "done" | "failed" | "cancelled";
  /** Positions that need an engine. */
  positions: number;
  /** Those of them that have been analysed. */
  settled: number;
  /** Found so far, by ply; the first is that of the start. */
  evaluations: (EngineEvaluation | null)[];
  /** Why it has failed. */
  sentence?: string | null;
  /** With evaluations, symbols of mistakes, and better lines as variations. */
  game?: ApiGame;
  /** What was added to the game, by kind. */
  added?: Record<string, number>;
}

/** How far reading the games is. */
export interface Unfinished {
  source: string;
  generation: string;
  complete: boolean;
  progress: number | null;
}

/** A part of a table of names; it grows while the games of a database are read. */
export interface Directory {
  source: string;
  generation: string;
  complete: boolean;
  progress: number | null;
  total: number;
  offset: number;
}

/** The score of a player in some games. */
export interface PlayerScore {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
}

/** The score of a player, with its performance. */
export interface PerformedScore {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
  /** The rating that is expected to score this against these opponents. */
  performance: number | null;
}

/** A player of a database. */
export interface Player {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
  name: string;
  /** The highest. */
  rating: number | null;
  first_year: number | null;
  last_year: number | null;
}

/** Players of a database. */
export interface Players {
  source: string;
  generation: string;
  complete: boolean;
  progress: number | null;
  total: number;
  offset: number;
  players: Player[];
}

/** An opening, or a move, of a player. */
export interface PlayedLine {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
  /** The rating that is expected to score this against these opponents. */
  performance: number | null;
  /** Of the opening or of the move. */
  name: string;
  eco: string | null;
  /** From the start, in UCI; empty if they are not known. */
  moves: string[];
  lines: PlayedLine[];
}

/** The score against an opponent. */
export interface OpponentScore {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
  /** The rating that is expected to score this against these opponents. */
  performance: number | null;
  name: string;
}

/** The score in a year. */
export interface YearScore {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
  /** The rating that is expected to score this against these opponents. */
  performance: number | null;
  year: number;
}

/** A rating in a month or a year. */
export interface DatedRating {
  /** 2013-05 or 2013. */
  date: string;
  rating: number;
}

/** The score of the games that ended in a phase, or of those with so little time left, and how they were played. */
export interface PhaseScore {
  games: number;
  wins: number;
  draws: number;
  /** Games without a decided result are counted only in “games”. */
  losses: number;
  /** The rating that is expected to score this against these opponents. */
  performance: number | null;
  name: string;
  play: Performance;
}

/** How a player played in the games with evaluations. */
export interface Play {
  /** Evaluated moves. */
  moves: number;
  /** From 0 to 100. */
  accuracy: number | null;
  /** The average. */
  centipawn_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** With evaluations. */
  games: number;
  phases: PhaseScore[];
  /** By the least time left on the clock. */
  clocks: PhaseScore[];
}

/** A player in a database. */
export interface PlayerReport {
  source: string;
  generation: string;
  complete: boolean;
  /** The spellings that count. */
  names: string[];
  /** Other names in the database that may be of the same player. */
  spellings: Player[];
  total: PerformedScore;
  white: PerformedScore;
  black: PerformedScore;
  lowest_rating: number | null;
  highest_rating: number | null;
  ratings: DatedRating[];
  years: YearScore[];
  opponents: OpponentScore[];
  white_openings: PlayedLine[];
  black_openings: PlayedLine[];
  white_moves: PlayedLine[];
  black_moves: PlayedLine[];
  play: Play | null;
}

/** An event in a database. */
export interface Event {
  name: string;
  site: string | null;
  games: number;
  players: number;
  /** The mean of all ratings. */
  rating: number | null;
  /** The first date: 2013-11-09, 2013-11 or 2013. */
  first: string | null;
  last: string | null;
}

/** Events of a database. */
export interface Events {
  source: string;
  generation: string;
  complete: boolean;
  progress: number | null;
  total: number;
  offset: number;
  events: Event[];
}

/** A game in a crosstable, or the match of two teams. */
export interface TableGame {
  round: number | null;
  /** Its place in the table, from 0. */
  opponent: number;
  /** Null for teams. */
  color: "w" | "b" | null;
  points: number | null;
  result: string;
  /** The number of the record. */
  number: number;
}

/** A row of a crosstable. */
export interface TableEntry {
  rank: number;
  name: string;
  rating: number | null;
  points: number;
  games: number;
  tie_breaks: (number | null)[];
  encounters: TableGame[];
}

/** The standings of an event. */
export interface Crosstable {
  kind: "match" | "round-robin" | "swiss" | "team";
  rounds: number;
  tie_breaks: string[];
  entries: TableEntry[];
}

/** An event with its table. */
export interface TournamentReport {
  source: string;
  generation: string;
  complete: boolean;
  event: Event;
  /** All events of this name, if there are several. */
  others: Event[];
  /** Null if it would be too large. */
  table: Crosstable | null;
}

/** Some games, and how they ended. */
export interface Outcomes {
  games: number;
  white: number;
  draws: number;
  black: number;
}

/** Games of a year, or of a class of ratings or lengths. */
export interface NumberClass {
  games: number;
  white: number;
  draws: number;
  black: number;
  /** The year, the lowest rating or the lowest number of moves. */
  first: number;
  /** The last of the class. */
  last: number;
}

/** Games of an ECO code. */
export interface CodeClass {
  games: number;
  white: number;
  draws: number;
  black: number;
  opening: Opening;
}

/** The games of a list in numbers; they grow with the list. */
export interface Statistics {
  query: string;
  source: string;
  generation: string;
  /** Rows that are known so far. */
  total: number;
  complete: boolean;
  progress?: number | null;
  sorted?: boolean;
  /** Whether rows contain the place of the match in the game. */
  has_plies?: boolean;
  error?: string | null;
  games: Outcomes;
  years: NumberClass[];
  /** By the mean of both ratings. */
  ratings: NumberClass[];
  codes: CodeClass[];
  /** By the number of moves; null while it is not known. */
  lengths: NumberClass[] | null;
}
