import { seeded } from '@gondola/local-stack/testing/seeded';

/** Random choices that a seed gives again. */
export class Dice {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** From `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  one<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!;
  }
}
