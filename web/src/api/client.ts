/** Questions to the server. The cookie of the session carries the token; whatever goes wrong arrives as one sentence. */

import { t } from "../translation";
import { said } from "./sentences";

export type Parameters = Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>;

export interface Options {
  parameters?: Parameters;
  signal?: AbortSignal | undefined;
}

export class ApiError extends Error {
  constructor(
    /** Shown to people as it is. */
    readonly sentence: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(sentence);
    this.name = "ApiError";
  }
}

/** The address of a question, without parameters that are null, undefined, false or empty; lists repeat the parameter. */
export function address(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== false && one !== "") {
        query.append(name, one === true ? "1" : String(one));
      }
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

async function failure(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error?: { sentence?: string; code?: string } };
    if (error?.sentence) {
      return new ApiError(said(error.sentence), response.status, error.code ?? "");
    }
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    // Not our JSON: a proxy or another program answered.
  }
  return new ApiError(t("The server answered {status}.", { status: `${response.status} ${response.statusText}`.trim() }), response.status, "");
}

/** Nothing came, or only the beginning of an answer. */
function unanswered(error: unknown): never {
  throw isAbort(error) ? error : new ApiError(t("tabiya does not answer: is “tabiya serve” still running?"), 0, "offline");
}

async function send(method: string, path: string, init: RequestInit, options: Options = {}): Promise<Response> {
  const response = await fetch(address(path, options.parameters), {
    method,
    credentials: "same-origin",
    signal: options.signal ?? null,
    ...init,
  }).catch(unanswered);
  if (!response.ok) {
    throw await failure(response);
  }
  return response;
}

async function json<T>(response: Promise<Response>): Promise<T> {
  const answer = await response;
  return (answer.status === 204 ? undefined : await answer.json().catch(unanswered)) as T;
}

function withBody(body: unknown): RequestInit {
  return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export const api = {
  /** An answer that is read piece by piece. */
  open: (path: string, options?: Options): Promise<Response> => send("GET", path, {}, options),
  get: <T>(path: string, options?: Options): Promise<T> => json<T>(send("GET", path, {}, options)),
  post: <T>(path: string, body: unknown, options?: Options): Promise<T> =>
    json<T>(send("POST", path, withBody(body), options)),
  put: <T>(path: string, body: unknown, options?: Options): Promise<T> =>
    json<T>(send("PUT", path, withBody(body), options)),
  upload: (path: string, bytes: Blob, options?: Options): Promise<void> =>
    json<void>(send("PUT", path, { headers: { "Content-Type": "application/octet-stream" }, body: bytes }, options)),
  delete: (path: string, options?: Options): Promise<void> => json<void>(send("DELETE", path, {}, options)),
};

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The sentence to show for anything that was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError ? error.sentence : t("Something went wrong in the page: {problem}", { problem: String(error) });
}
