import { createHash } from 'node:crypto';

/**
 * A number from 0 to below 1 that depends only on the seed and the purpose, so that parallel work does not change
 * it.
 */
export type Dice = (purpose: string) => number;

export function diceOf(seed: number): Dice {
  return (purpose) => createHash('sha256').update(`${seed}:${purpose}`).digest().readUInt32BE(0) / 2 ** 32;
}

export function oneOf<T>(dice: Dice, purpose: string, options: readonly [T, ...T[]]): T {
  return options[Math.floor(dice(purpose) * options.length)] ?? options[0];
}

/** A whole number from `from` to `to`, both included. */
export function between(dice: Dice, purpose: string, from: number, to: number): number {
  return from + Math.floor(dice(purpose) * (to - from + 1));
}
