/** A field in which a player of the database is found by some letters of the name. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { api, isAbort } from "../api/client";
import type { Players } from "../api/types";
import { report, source } from "../state";

const TYPING_MS = 150;
const MOST = 12;

interface ChoiceProps {
  label: string;
  except: readonly string[];
  choose: (name: string) => void;
}

export function PlayerChoice({ label, except, choose }: ChoiceProps): JSX.Element {
  const text = useSignal("");
  const found = useSignal<readonly string[]>([]);
  const id = useId();
  useEffect(() => {
    const database = source.peek();
    if (!database || text.value.trim().length < 2) {
      found.value = [];
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const path = `/api/sources/${encodeURIComponent(database.id)}/players`;
      api.get<Players>(path, { parameters: { text: text.peek(), limit: MOST }, signal: stop.signal }).then(
        ({ players }) => {
          if (!stop.signal.aborted) {
            found.value = players.map(({ name }) => name).filter((name) => !except.includes(name));
          }
        },
        (error: unknown) => isAbort(error) || report(error),
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text.value]);
  const take = (name: string | undefined): void => {
    if (name !== undefined) {
      text.value = "";
      choose(name);
    }
  };
  return (
    <span class="player-choice">
      <input
        type="search"
        aria-controls={id}
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            take(found.peek()[0]);
          } else if (event.key === "Escape") {
            text.value = "";
          }
        }}
      />
      <ul id={id} hidden={found.value.length === 0}>
        {found.value.map((name) => (
          <li key={name}>
            <button type="button" class="plain" onClick={() => take(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </span>
  );
}
