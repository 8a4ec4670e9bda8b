import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CatalogFlow, CatalogLane, Planned, Save } from './catalog-flow.ts';
import { PublishRecords } from './publish-records.service.ts';

/** A tenth of a second; a late read is one that takes longer than a second. */
const TICK_MS = 100;
const LONG_MS = 60_000;

/** The end of a lane's read, after some ticks. */
interface ReadEnd {
  readonly ticks: number;
  readonly fails: boolean;
}

type Ends = Readonly<Record<string, ReadEnd>>;

let unhandled: unknown[];
const note = (error: unknown) => void unhandled.push(error);

beforeEach(() => {
  jest.useFakeTimers();
  unhandled = [];
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
  jest.useRealTimers();
});

/** Runs a step in which each lane is read, and returns the lanes that were saved, and the error of the step. */
async function step(
  ends: Ends,
  saveFails: (identities: readonly string[]) => boolean = () => false,
): Promise<{ readonly saved: readonly string[]; readonly error: unknown }> {
  const saved: string[] = [];
  const tenant = { id: 'acme', maxCalls: 2, platform: { pausedForMs: () => 0 } };
  const records = {
    save: async (_flow: unknown, _tenant: unknown, steps: readonly Save<CatalogLane>[]) => {
      const identities = steps.map(({ lane }) => lane.identity);
      if (saveFails(identities)) throw new Error(`cannot save ${identities.join()}`);
      saved.push(...identities);
    },
  };
  const flow = {
    awaited: null,
    plan: async (_tenant: unknown, lanes: readonly ClaimedLane[]): Promise<Planned<CatalogLane>[]> =>
      lanes.map((lane) => ({ kind: 'read', state: stateOf(lane), before: null, final: false })),
    read: async (_tenant: unknown, { state }: { readonly state: CatalogLane }): Promise<Planned<CatalogLane>> => {
      const { ticks, fails } = ends[state.lane.identity]!;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, ticks * TICK_MS);
      });
      if (fails) throw new Error(`cannot read ${state.lane.identity}`);
      return { kind: 'read', state, before: null, final: false };
    },
  } as unknown as CatalogFlow<CatalogLane>;
  const publish = new PublishRecords(
    { of: () => tenant } as never,
    {} as never,
    records as never,
    {} as never,
    { of: () => 'live' } as never,
  );
  const lanes = Object.keys(ends).map((identity) => ({ tenant: 'acme', identity }) as ClaimedLane);
  const ended = publish.step(flow, lanes, new AbortController().signal).then(
    () => null,
    (error: unknown) => error,
  );
  await jest.advanceTimersByTimeAsync(LONG_MS);
  const error = await ended;
  return { saved: saved.toSorted(), error };
}

function stateOf(lane: ClaimedLane): CatalogLane {
  return { lane, command: null, progress: null, corrected: [], ownDueInMs: null };
}

describe('a step of the catalog', () => {
  it('saves each lane once its read has ended, early or late', async () => {
    const ends = { a: { ticks: 1, fails: false }, b: { ticks: 14, fails: false }, c: { ticks: 40, fails: false } };
    expect(await step(ends)).toEqual({ saved: ['a', 'b', 'c'], error: null });
  });

  it.each([1, 14, 40])('fails with a read that fails after %d ticks, once all others are saved', async (ticks) => {
    const good = { a: { ticks: 1, fails: false }, b: { ticks: 20, fails: false }, c: { ticks: 50, fails: false } };
    const { saved, error } = await step({ ...good, bad: { ticks, fails: true } });
    expect(saved).toEqual(['a', 'b', 'c']);
    expect(error).toEqual(new Error('cannot read bad'));
  });

  it('fails with a save that fails while other reads go on, and ends the process never', async () => {
    const ends = { a: { ticks: 1, fails: false }, b: { ticks: 14, fails: false }, c: { ticks: 80, fails: false } };
    const { saved, error } = await step(ends, (identities) => identities.includes('b'));
    expect(saved).toEqual(['a', 'c']);
    expect(error).toEqual(new Error('cannot save b'));
    expect(unhandled).toEqual([]);
  });
});
