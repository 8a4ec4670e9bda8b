import type { AppProcess } from '@gondola/local-stack/testing/app-process';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Recovery } from '../src/recovery/recovery.dto.ts';
import { PlatformOfRecovery } from './support/platform-of-recovery.ts';

const FIRST = 350_001;
const NUMBERS = 40;
/** The readings under which the process is killed. */
const DEADLY = [1, 2, 7, 16, 31];
const LAST = FIRST + NUMBERS - 1;

describe('a recovery in a process that is killed by SIGKILL', () => {
  let world: PlatformOfRecovery;
  let child: AppProcess | undefined;

  beforeEach(async () => {
    world = await PlatformOfRecovery.start('recovery-killed', { callsPerMinute: 3_000, lookAgainMs: 50, lookups: 2 });
    await start();
  });

  afterEach(async () => {
    await child?.kill();
    await world.close();
  });

  async function start(): Promise<void> {
    child = await world.startApp();
  }

  async function run(path = '', body?: object): Promise<Recovery> {
    const call = body === undefined ? {} : ({ method: 'POST', body } as const);
    return (await callApi<Recovery>(child!, `/api/recoveries${path}`, call)).body;
  }

  it('continues after a restart: each order is published once, and no number is left out (guarantee 4)', async () => {
    const deaths = DEADLY.map((reading) => world.hangsAt(reading));
    const { id } = await run('', { from: FIRST, to: LAST });
    for (const reached of deaths) {
      await reached;
      await child!.kill();
      await world.endLeases();
      await start();
    }
    await world.until(async () => (await run(`/${id}`)).finishedAt !== null);
    const existing = Array.from({ length: NUMBERS }, (_, index) => FIRST + index).filter((number) => world.has(number));
    expect(await run(`/${id}`)).toMatchObject({
      candidates: NUMBERS,
      found: existing.length,
      givenUp: NUMBERS - existing.length,
      open: 0,
    });
    const events = await world.published(existing.length);
    expect(events.map(({ orderNumber }) => orderNumber).toSorted((one, other) => one - other)).toEqual(existing);
    expect(new Set(events.map(({ type, cause, revision }) => `${type} ${cause} ${revision}`))).toEqual(
      new Set(['OrderApproved recovered 1']),
    );
    // A reading that was cut off is made again, and no other one is.
    const unknown = NUMBERS - existing.length;
    expect(world.readings()).toBe(existing.length + unknown * 2 + DEADLY.length);
  });
});
