import { describe, expect, it } from '@jest/globals';
import type { Session } from '../command-line/command.ts';
import type { ApiRequest, ApiResult, Entry } from '../operations-api/operations-api.ts';
import { sayIn } from '../texts/texts.ts';
import { followLoad } from './follow-load.adapter.ts';

const ADDRESS = { kind: 'address', url: 'http://127.0.0.1', source: { kind: 'default' } } as const;
const FOLLOWED = { loadId: 'first', tenant: 'acme', expected: 4 };

const load = (counts: Record<string, number>, open: number): Entry => ({
  loadId: 'first',
  taken: 4,
  total: 4,
  open,
  counts,
});

/** Follows a load through these answers; the last one repeats. */
async function follow(bodies: readonly Entry[], looks = 3) {
  const shown: string[] = [];
  let at = 0;
  const api = {
    call: async (request: ApiRequest): Promise<ApiResult> => {
      const body = bodies[Math.min(at, bodies.length - 1)]!;
      at += 1;
      return { kind: 'answer', request, address: ADDRESS, body };
    },
  };
  const progress: Session['progress'] = ({ done, total, label }) => void shown.push(`${label} ${done}/${total}`);
  const report = await followLoad({ api, say: sayIn('en'), progress }, FOLLOWED, { everyMs: 0, looks });
  return { ...report, shown };
}

describe('followLoad', () => {
  it('waits for the last record, and ends well if all entered', async () => {
    const { exit, shown, notes } = await follow([
      load({ queued: 4 }, 4),
      load({ applied: 3, sent: 1 }, 1),
      load({ applied: 4 }, 0),
    ]);
    expect([exit, shown, notes]).toEqual([0, ['first 0/4', 'first 3/4', 'first 4/4'], []]);
  });

  it.each([{ refused: 1 }, { invalid: 1 }, { unconfirmed: 1 }, { unreadable: 1 }])(
    'ends with 1 after %j',
    async (bad) => {
      expect((await follow([load({ applied: 3, ...bad }, 0)])).exit).toBe(1);
    },
  );

  it('gives up if nothing changes any more, and prints that the load continues', async () => {
    const { exit, shown, notes } = await follow([load({ queued: 1, waiting: 3 }, 4), load({ waiting: 4 }, 4)]);
    expect([exit, shown.length, notes]).toEqual([1, 5, [expect.stringContaining('gondola catalog loads first')]]);
  });

  it('does not take any answer for a load', async () => {
    expect(await follow([{ entries: [] }])).toMatchObject({ exit: 1, json: { error: { code: 'NOT_UNDERSTOOD' } } });
  });
});
