/** What the server sends and takes, as far as several rooms of the page know it. Fields that say nothing are absent or null. */

export interface About {
  name: string;
  version: string;
  write: boolean;
  root?: string | null;
  max_upload?: number;
}

export interface Source {
  id: string;
  kind: "database" | "book";
  name: string;
  path?: string;
  format: string;
  format_title?: string;
  generation: string;
  open: boolean;
  records?: number | null;
  complete: boolean;
  progress?: number | null;
  indexed?: boolean;
  append?: boolean;
  replace?: boolean;
  origin?: "argument" | "root" | "upload";
  size?: number;
  error?: string | null;
}

export interface Opening {
  eco: string;
  name: string;
}

export type Side = "before" | "after" | "late";

export interface Comment {
  text: string;
  /** ChessBase's three letters; "" is all languages. */
  language: string;
  side: Side;
}

export interface Marked {
  color: string;
  square: string;
}

export interface Arrow {
  color: string;
  from: string;
  to: string;
}

export interface Evaluation {
  pawns?: number | null;
  mate?: number | null;
  depth?: number | null;
}

export interface Translated {
  language: string;
  text: string;
}

export interface Training {
  seconds?: number | null;
  points?: number | null;
  questions?: Translated[];
  hints?: Translated[][];
  solutions?: { uci: string; san?: string; points?: number | null; texts?: Translated[] }[];
}

/** What is said about a move; the page edits some of it, the rest travels in `stored`. */
export interface Remarks {
  nags?: number[] | null;
  comments?: Comment[] | null;
  squares?: Marked[] | null;
  arrows?: Arrow[] | null;
  clock?: number | null;
  time_spent?: number | null;
  eval?: Evaluation | null;
  stored?: unknown;
}

export interface ApiNode extends Remarks {
  id?: number;
  parent: number | null;
  path?: string;
  ply?: number;
  number?: number;
  color?: "white" | "black";
  san?: string | null;
  uci?: string | null;
  fen?: string | null;
  check?: boolean;
  medals?: string[] | null;
  critical?: string | null;
  training?: Training[] | null;
  links?: { url: string; text?: string | null }[] | null;
  media?: { kind: string; url?: string | null; text?: string | null }[] | null;
  quotes?: { text: string }[] | null;
  variation_color?: string | null;
  unreadable?: string | null;
  others?: string[] | null;
  opening?: Opening | null;
}

export interface ApiGame {
  source?: string;
  generation?: string;
  number?: number;
  kind: "game" | "text" | "opaque";
  deleted?: boolean;
  records?: number;
  tags: [string, string][];
  title?: string;
  result?: string | null;
  chess960?: boolean;
  start?: string | null;
  opening?: Opening | null;
  languages?: string[];
  nodes?: ApiNode[];
  truncated?: boolean;
  problems?: string[];
  evaluations?: (Evaluation | null)[] | null;
  texts?: unknown[];
}

export interface LegalMove {
  uci: string;
  san: string;
  fen: string;
  from: string;
  to: string;
  check?: boolean;
  capture?: boolean;
  promotion?: string | null;
  /** Castling: the square of the rook, on which the king may be dropped as well. */
  rook?: string | null;
}

export interface PositionAnswer {
  fen: string;
  chess960: boolean;
  turn: "white" | "black";
  check: boolean;
  state: "playing" | "mate" | "stalemate";
  opening?: Opening | null;
  sound?: boolean;
  problems?: string[];
  moves: LegalMove[];
  null_move?: { uci: string; san: string; fen: string } | null;
}

export interface Vocabulary {
  headers: Condition[];
  position: Condition[];
  sort: string[];
  nags: { nag: number; glyph: string; slot: "move" | "position" | "prefix" | "other" }[];
  languages: { code: string; name: string }[];
  colors: string[];
}

export interface Condition {
  name: string;
  kind: "text" | "texts" | "number" | "flag" | "choice" | "choices";
  help?: string;
  metavar?: string;
  choices?: string[];
}
