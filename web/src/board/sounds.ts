/** The sounds of moves, made by the browser from a few tones: no files. Off until somebody turns them on. */

import { effect } from "@preact/signals";
import { game, node, sounds } from "../state";
import { variationStart, type MoveNode, type Tree } from "../game/tree";

export type Sound = "move" | "capture" | "check" | "end";

interface Tone {
  /** Seconds after the move. */
  at: number;
  /** Hertz, at the beginning and at the end. */
  from: number;
  to: number;
  /** Seconds until it has faded. */
  length: number;
  loudness: number;
  shape: OscillatorType;
}

const knock = (at: number, from: number, loudness: number): Tone[] => [
  { at, from, to: from / 2, length: 0.07, loudness, shape: "sine" },
  { at, from: from * 4.1, to: from * 3, length: 0.018, loudness: loudness * 0.4, shape: "triangle" },
];
const bell = (at: number, from: number, length: number): Tone => ({ at, from, to: from, length, loudness: 0.16, shape: "sine" });

export const SOUNDS: Readonly<Record<Sound, readonly Tone[]>> = {
  move: knock(0, 320, 0.5),
  capture: [...knock(0, 420, 0.45), ...knock(0.045, 250, 0.55)],
  check: [...knock(0, 320, 0.5), bell(0.03, 880, 0.28), bell(0.03, 1320, 0.16)],
  end: [...knock(0, 320, 0.5), bell(0.05, 523, 0.7), bell(0.13, 659, 0.7), bell(0.21, 784, 0.8)],
};

/** What is heard on the way from one move to another: steps forward only. */
export function soundOf(tree: Tree, before: number, { id, parent, san, children }: MoveNode, result?: string | null): Sound | null {
  if (parent !== before || !san) {
    return null;
  }
  const isLast = result != null && result !== "*" && children.length === 0 && variationStart(tree, id) === null;
  return san.includes("#") || isLast ? "end" : san.includes("+") ? "check" : san.includes("x") ? "capture" : "move";
}

let context: AudioContext | undefined;

export function play(sound: Sound): void {
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const { at, from, to, length, loudness, shape } of SOUNDS[sound]) {
    const tone = new OscillatorNode(context, { type: shape, frequency: from });
    const volume = new GainNode(context, { gain: 0 });
    const [start, end] = [now + at, now + at + length];
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, end);
    volume.gain.setValueAtTime(loudness, start);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(end);
  }
}

/** Sound with every step forward in the game that is open. */
export function followMoves(): void {
  let before = { source: "", at: 0 };
  effect(() => {
    const { source, number, tree, result } = game.value;
    const here = { source: `${source}/${number}`, at: node.value.id };
    const sound = here.source === before.source ? soundOf(tree, before.at, node.value, result) : null;
    before = here;
    if (sound && sounds.peek()) {
      play(sound);
    }
  });
}
