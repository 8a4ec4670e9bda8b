import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Pulse, STANDSTILL_MS } from './pulse.ts';

describe('the pulse of a run', () => {
  let pulse: Pulse;
  let calls = 0;
  let looks = 0;
  let clock = 0;

  let accepted = 0;
  let waiting: number[] = [];

  beforeEach(() => {
    calls = 0;
    clock = 0;
    accepted = 0;
    waiting = [];
    const read = async () => ({
      newestOperation: accepted,
      oldestWaitingOperation: waiting[0] ?? null,
      pendingDeliveries: 0,
      newestAttempt: 0,
    });
    const outside = (): string => {
      looks += 1;
      return `${calls} calls`;
    };
    pulse = new Pulse(read, outside, () => clock);
  });
  afterEach(() => pulse.close());

  function accept(): number {
    accepted += 1;
    waiting.push(accepted);
    return accepted;
  }

  function take(seq: number): void {
    waiting = waiting.filter((one) => one !== seq);
  }

  /** Waits until the pulse has read twice more, and has acted on the first of these readings. */
  async function untilLooked(): Promise<string> {
    const before = looks;
    await waitFor(() => looks >= before + 2, { describe: 'two readings of the pulse' });
    return 'still waiting';
  }

  it('waits until the core takes the operations accepted before, and not later ones', async () => {
    const mine = accept();
    const waited = pulse.taken();
    await expect(Promise.race([waited, untilLooked()])).resolves.toBe('still waiting');
    const later = accept();
    take(mine);
    await waited;
    take(later);
    await pulse.quiet();
  });

  it('gives up and reports the whole state if nothing progresses, and not while something does', async () => {
    const mine = accept();
    const waited = pulse.taken().then(
      () => 'taken',
      (error: Error) => error.message,
    );
    for (let n = 0; n < 5; n += 1) {
      calls += 1;
      clock += STANDSTILL_MS * 2;
      await expect(Promise.race([waited, untilLooked()])).resolves.toBe('still waiting');
    }
    const standingStill = setInterval(() => (clock += STANDSTILL_MS * 2), 10);
    const end = await waited;
    clearInterval(standingStill);
    const stands = `newest operation ${mine}, oldest waiting ${mine}, 0 notifications pending, attempt 0; ${calls} calls`;
    expect(end).toBe(`Nothing has moved for ${STANDSTILL_MS} ms: ${stands}`);
  });
});
