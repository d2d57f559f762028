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

let asked = false;

export async function loadEngines(): Promise<void> {
  if (asked) {
    return;
  }
  asked = true;
  try {
    known.value = await api.get<Engines>("/api/engines");
  } catch (error) {
    asked = false;
    report(error);
  }
}

/** This page, for the server: it has one live analysis and one of a game. */
export const viewer = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
