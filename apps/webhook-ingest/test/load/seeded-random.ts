import { seeded } from '@gondola/local-stack/testing/seeded';

/** Random draws determined by a seed. Not for secrets. */
export interface SeededRandom {
  /** From 0, below `below`. */
  whole(below: number): number;
  /** True with this probability, from 0 to 1. */
  chance(share: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** A text in the form of a GUID. */
  guid(): string;
}

export function seededRandom(seed: string): SeededRandom {
  const next = seeded(fnv1a(seed));
  const whole = (below: number): number => Math.floor(next() * below);
  const hex = (digits: number): string => Array.from({ length: digits }, () => whole(16).toString(16)).join('');
  return {
    whole,
    chance: (share) => next() < share,
    pick: (from) => from[whole(from.length)] ?? from[0],
    shuffled: (list) =>
      list
        .map((each) => ({ each, place: next() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ each }) => each),
    guid: () => [8, 4, 4, 4, 12].map(hex).join('-'),
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
