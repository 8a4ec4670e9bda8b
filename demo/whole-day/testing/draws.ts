import { seeded } from '@gondola/local-stack/testing/seeded';

/** Repeatable draws for a seed: whole numbers from 0 to below the argument. */
export function drawsOf(seed: number): (below: number) => number {
  const next = seeded(seed);
  return (below) => Math.floor(next() * 2 ** 32) % below;
}
