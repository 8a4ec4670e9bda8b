import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';

import { OpenDeadLetters } from '../dead-letters/open-dead-letters.ts';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestDatabase, type TestDatabase } from '@gondola/lanes/testing/test-database';
import { testIntake } from '@gondola/lanes/testing/test-intake';
import { BulkJobsController } from './bulk-jobs.controller.ts';
import { BulkJobs } from '@gondola/lanes/jobs/bulk-jobs';
import type { BulkFilter, BulkTarget } from '@gondola/lanes/jobs/bulk-target';
import { RunBulkJobs } from '@gondola/lanes/jobs/run-bulk-jobs';

const COMMANDS = 'erp.orders.commands.v1';
const LETTERS = 12;

/** Twelve letters of acme on two topics, all stored in one moment, and one of nobody that is no JSON. */
const INSERT = `
  INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, value, headers, tenant, reason_code, reason)
  SELECT 'g/' || n, 'g', CASE WHEN n % 3 = 0 THEN 'erp.files.commands.v1' ELSE '${COMMANDS}' END, 0, n, n::text::bytea, '[]',
    'acme', 'PROCESSING_FAILED', '-' FROM generate_series(1, ${LETTERS}) AS n
  UNION ALL SELECT 'g/json', 'g', '${COMMANDS}', 1, 1, 'x', '[]', NULL, 'NOT_JSON', '-'`;

function lettersOf(database: Database): OpenDeadLetters {
  const origin = { app: 'order-command-handler', group: 'g', topicPrefix: '', tenants: ['acme'] };
  const metrics = new MessagingMetrics(new Registry());
  const { deadLetters } = testIntake({ origin, database, metrics, logger: quietLogger() });
  return new OpenDeadLetters(database, deadLetters);
}

describe('a job on many dead letters', () => {
  let test: TestDatabase;
  let other: Database;
  let jobs: BulkJobs;

  beforeAll(async () => {
    test = await openTestDatabase('bulk-jobs');
    other = await test.replica();
    jobs = new BulkJobs(test.database);
  });

  beforeEach(async () => {
    await test.database.query('TRUNCATE dead_letters, bulk_jobs, outbox');
    await test.database.query(INSERT);
  });

  afterAll(async () => {
    await test.close();
  });

  function runner(database = test.database, target: BulkTarget = lettersOf(database)): RunBulkJobs {
    return new RunBulkJobs(database, new BulkJobs(database), target, quietLogger());
  }

  async function start(filter: BulkFilter, more: { perSecond?: number; action?: 'redrive' | 'discard' } = {}) {
    const job = { action: 'redrive', filter, note: '', perSecond: 500, expected: 0, requestedBy: null } as const;
    return (await jobs.add({ ...job, ...more })).id;
  }

  async function endLeases(): Promise<void> {
    await test.database.query('UPDATE bulk_jobs SET due_at = now()');
  }

  async function redriven(): Promise<string[]> {
    const { rows } = await test.database.query<{ value: Buffer }>('SELECT value FROM outbox ORDER BY seq');
    return rows.map(({ value }) => value.toString());
  }

  it('redrives those that match, of each partition in the order of their records', async () => {
    const id = await start({ tenant: 'acme', reason: 'PROCESSING_FAILED', topic: COMMANDS });
    await runner().run();
    expect(await redriven()).toEqual(['1', '2', '4', '5', '7', '8', '10', '11']);
    expect(await jobs.find(id)).toMatchObject({ done: 8, failed: 0, finishedAt: expect.any(Date), isStopped: false });
    expect(await lettersOf(test.database).count({}, 100)).toBe(5);
  });

  it('keeps its pace, on however many replicas, and goes on where it was', async () => {
    const id = await start({ tenant: 'acme' }, { perSecond: 5 });
    const replicas = [runner(), runner(other)];
    for (const done of [5, 10, 12]) {
      await Promise.all(replicas.map((replica) => replica.run()));
      expect(await jobs.find(id)).toMatchObject({ done });
      await endLeases();
    }
    expect((await redriven()).toSorted()).toHaveLength(LETTERS);
    expect((await jobs.find(id))?.finishedAt).not.toBeNull();
  });

  it('changes no row twice if its process was only frozen and another one went on', async () => {
    const id = await start({ tenant: 'acme' });
    const letters = lettersOf(test.database);
    let changed = 0;
    const frozen = Object.assign(Object.create(letters) as OpenDeadLetters, {
      change: async (...[place, action, note, alongside]: Parameters<BulkTarget['change']>) => {
        changed += 1;
        if (changed === 4) {
          await endLeases();
          await runner(other).run();
        }
        await letters.change(place, action, note, alongside);
      },
    });
    await runner(test.database, frozen).run();
    expect(changed).toBe(4);
    expect(await jobs.find(id)).toMatchObject({ done: LETTERS, failed: 0 });
    expect(new Set(await redriven()).size).toBe(LETTERS);
    expect(await redriven()).toHaveLength(LETTERS);
  });

  it('changes nothing more once it is stopped, and stays stopped', async () => {
    const id = await start({ tenant: 'acme' });
    const letters = lettersOf(test.database);
    const stopping = Object.assign(Object.create(letters) as OpenDeadLetters, {
      change: async (...change: Parameters<BulkTarget['change']>) => {
        if ((await redriven()).length === 3) await jobs.stop(id);
        await letters.change(...change);
      },
    });
    await runner(test.database, stopping).run();
    await endLeases();
    await runner().run();
    expect(await redriven()).toHaveLength(3);
    expect(await jobs.find(id)).toMatchObject({ done: 3, failed: 0, isStopped: true });
  });

  it('counts as failed what cannot be changed or waits no longer, and goes on', async () => {
    await test.database.query("UPDATE dead_letters SET reason_code = 'BATCH_UNREADABLE' WHERE id = 'g/1'");
    const id = await start({ tenant: 'acme', topic: COMMANDS });
    const letters = lettersOf(test.database);
    const late = Object.assign(Object.create(letters) as OpenDeadLetters, {
      places: async (...query: Parameters<BulkTarget['places']>) => {
        const places = await letters.places(...query);
        await test.database.query("UPDATE dead_letters SET state = 'discarded' WHERE id = 'g/2'");
        return places;
      },
    });
    await runner(test.database, late).run();
    expect(await jobs.find(id)).toMatchObject({ done: 6, failed: 2, finishedAt: expect.any(Date) });
  });

  it('of one tenant lets another’s have its turn, and only ten of each run at once', async () => {
    await test.database.query("UPDATE dead_letters SET tenant = 'other' WHERE id IN ('g/1', 'g/2', 'g/4')");
    await Promise.all(Array.from({ length: 10 }, () => start({ tenant: 'acme' }, { perSecond: 1 })));
    const refused = await Promise.allSettled(Array.from({ length: 5 }, () => start({ tenant: 'acme' })));
    expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    const other = await start({ tenant: 'other' }, { perSecond: 1 });
    const letters = lettersOf(test.database);
    const turns: string[] = [];
    const watched = Object.assign(Object.create(letters) as OpenDeadLetters, {
      places: async (filter: BulkFilter, after: string, limit: number) => {
        turns.push(filter.tenant ?? '');
        return letters.places(filter, after, limit);
      },
    });
    await runner(test.database, watched).run();
    expect(turns.slice(0, 2)).toContain('other');
    await jobs.stop(other);
    await start({ tenant: 'other' });
  });

  it('begins only if no more rows match than its start expects', async () => {
    const controller = new BulkJobsController(jobs, lettersOf(test.database));
    const request = { action: 'redrive', tenant: 'acme', perSecond: 500, confirm: true } as const;
    const { count } = await controller.preview(request);
    await expect(controller.start({ ...request, expected: count - 1 })).rejects.toMatchObject({
      response: { code: 'MORE_ROWS', message: expect.stringContaining(`${count} rows match, and ${count - 1}`) },
    });
    expect(await jobs.list(null, '1000', 10)).toEqual([]);
    for (let running = 0; running < 10; running += 1) await controller.start({ ...request, expected: count });
    await expect(controller.start(request)).rejects.toMatchObject({ response: { code: 'TOO_MANY_JOBS' } });
  });

  it('leaves what comes after its start, and what is not of its time', async () => {
    await test.database.query(`UPDATE dead_letters SET dead_at = CASE id
      WHEN 'g/1' THEN now() + interval '1 minute' WHEN 'g/2' THEN '2026-01-01T00:00:00Z' ELSE dead_at END`);
    await start({ tenant: 'acme', from: '2026-01-01T00:00:00.001Z' });
    await runner().run();
    expect((await redriven()).toSorted()).toEqual(['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'].toSorted());
  });

  it('discards with its note, and with the name of the operator who asked for it', async () => {
    const job = { action: 'discard', filter: {}, note: 'test of the agency', perSecond: 500, expected: 13 } as const;
    await jobs.add({ ...job, requestedBy: 'maria' });
    await runner().run();
    const { rows } = await test.database.query('SELECT DISTINCT state, note, acted_by FROM dead_letters');
    expect(rows).toEqual([{ state: 'discarded', note: 'test of the agency', acted_by: 'maria' }]);
    expect(await redriven()).toEqual([]);
  });

  it('groups what is open by tenant, reason and topic, with its age', async () => {
    await test.database.query("UPDATE dead_letters SET state = 'redriven' WHERE id = 'g/3'");
    const letters = lettersOf(test.database);
    const groups = await letters.groups(null);
    expect(groups.map(({ tenant, reason, topic, count, isMore }) => [tenant, reason, topic, count, isMore])).toEqual([
      [null, 'NOT_JSON', COMMANDS, 1, false],
      ['acme', 'PROCESSING_FAILED', 'erp.files.commands.v1', 3, false],
      ['acme', 'PROCESSING_FAILED', COMMANDS, 8, false],
    ]);
    expect(groups[0]).toMatchObject({ oldestAt: expect.any(Date), newestAt: expect.any(Date) });
    expect(await letters.groups('acme')).toHaveLength(2);
    expect(await letters.groups('nobody')).toEqual([]);
  });

  it('finds its rows, and each cause, by an index', async () => {
    await test.database.query(`
      INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, headers, tenant, reason_code, reason, state)
      SELECT 'many/' || n, 'g', '${COMMANDS}', n % 12, n, '[]', 'acme', 'R' || n % 5, '-',
        CASE WHEN n % 3 = 0 THEN 'open' ELSE 'redriven' END FROM generate_series(1, 20000) AS n`);
    await test.database.query('ANALYZE dead_letters');
    const plan = async (query: string): Promise<string> =>
      JSON.stringify((await test.database.query(`EXPLAIN ${query}`)).rows);
    const next = `SELECT id FROM dead_letters WHERE state = 'open' AND reason_code = 'R1'
      AND (topic, partition, record_offset, id) > ('${COMMANDS}', 3, 7, '') ORDER BY topic, partition, record_offset, id LIMIT 50`;
    const cause = `SELECT dead_at FROM dead_letters WHERE state = 'open'
      AND (coalesce(tenant, ''), reason_code, topic) = ('acme', 'R1', '${COMMANDS}') ORDER BY dead_at LIMIT 1`;
    // PostgreSQL may use no index of a table that changed until every older transaction on the server has ended.
    for (const [query, index] of [
      [next, 'dead_letters_open'],
      [cause, 'dead_letters_causes'],
    ] as const) {
      expect(await waitFor(async () => (await plan(query)).includes(index), { describe: index })).toBe(true);
    }
  });
});
