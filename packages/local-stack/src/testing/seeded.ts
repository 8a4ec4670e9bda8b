/** Random numbers from 0 to below 1, the same for the same seed in every run (mulberry32). Not for secrets. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Repeatable draws for a seed: whole numbers from 0 to below the argument. */
export function drawsOf(seed: number): (below: number) => number {
  const next = seeded(seed);
  return (below) => Math.floor(next() * 2 ** 32) % below;
}
