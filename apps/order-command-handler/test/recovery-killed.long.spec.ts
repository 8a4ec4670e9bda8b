import { join } from 'node:path';
import { type ChildApp, FROM_SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
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
  let child: ChildApp | undefined;
  let url: string;

  beforeEach(async () => {
    world = await PlatformOfRecovery.start('recovery-killed', { callsPerMinute: 3_000, lookAgainMs: 50, lookups: 2 });
    await start();
  });

  afterEach(async () => {
    await child?.kill();
    await world.close();
  });

  async function start(): Promise<void> {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = await startChildApp({
      name: 'order-command-handler',
      args: FROM_SOURCES,
      cwd: join(import.meta.dirname, '..'),
      env: { ...world.env, HTTP_PORT: String(port) },
      logFile: join(world.folder, 'order-command-handler.log'),
      readyUrl: `${url}/health/ready`,
    });
  }

  async function run(path = '', init: RequestInit = {}): Promise<Recovery> {
    const answer = await asOperator(`${url}/api/recoveries${path}`, init);
    return (await answer.json()) as Recovery;
  }

  it('continues after a restart: each order is published once, and no number is left out (guarantee 4)', async () => {
    const deaths = DEADLY.map((reading) => world.hangsAt(reading));
    const headers = { 'content-type': 'application/json' };
    const { id } = await run('', { method: 'POST', headers, body: JSON.stringify({ from: FIRST, to: LAST }) });
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
