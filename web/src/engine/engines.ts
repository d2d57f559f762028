/** The engines that the server may run, and who looks. */

import { computed, signal } from "@preact/signals";
import { api } from "../api/client";
import type { EngineProgram, Engines } from "../api/types";
import { engineName, report } from "../state";

/** Null until the server has answered. */
export const known = signal<Engines | null>(null);

/** What the browser remembers of the chosen engine: two may have the same program. */
export const keyOf = ({ id, name }: EngineProgram): string => `${id} ${name}`;

/** The chosen engine, else the first; null if there is none. */
export const engine = computed(() => {
  const engines = known.value?.engines ?? [];
  return engines.find((each) => keyOf(each) === engineName.value) ?? engines[0] ?? null;
});

let loading: Promise<void> | null = null;

/** Learn which engines there are, once. */
export function loadEngines(): Promise<void> {
  loading ??= api.get<Engines>("/api/engines").then(
    (answer) => void (known.value = answer),
    (error: unknown) => {
      loading = null; // the next one who needs them tries again
      report(error);
    },
  );
  return loading;
}

/** This page, for the server: it has one live analysis and one of a game. */
export const viewer = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
