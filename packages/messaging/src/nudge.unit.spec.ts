import { describe, expect, it } from '@jest/globals';

import { Nudge } from './nudge.ts';

const LONG_MS = 60_000;

describe('Nudge', () => {
  it('ends a pause that is under way', async () => {
    const nudge = new Nudge();
    const pause = nudge.wait(LONG_MS);
    nudge.ring();
    await expect(pause).resolves.toBeUndefined();
  });

  it('keeps a ring for the next pause, and only for that', async () => {
    const nudge = new Nudge();
    nudge.ring();
    nudge.ring();
    await nudge.wait(LONG_MS);
    const start = performance.now();
    await nudge.wait(20);
    expect(performance.now() - start).toBeGreaterThanOrEqual(15);
  });
});
