import { describe, expect, it } from '@jest/globals';

import { WakeSignal } from './wake-signal.ts';

const LONG_MS = 60_000;

describe('WakeSignal', () => {
  it('ends a running pause', async () => {
    const wake = new WakeSignal();
    const pause = wake.wait(LONG_MS);
    wake.signal();
    await expect(pause).resolves.toBeUndefined();
  });

  it('that arrives without a pause ends the next one, and only that', async () => {
    const wake = new WakeSignal();
    wake.signal();
    wake.signal();
    await wake.wait(LONG_MS);
    const start = performance.now();
    await wake.wait(20);
    expect(performance.now() - start).toBeGreaterThanOrEqual(15);
  });
});
