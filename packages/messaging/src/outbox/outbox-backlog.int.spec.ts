import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';

import { OutboxSource } from './outbox-source.ts';
import { headersToText } from '../codec/record-codec.ts';
import { AdvisoryRelayLock } from './relay-lock.ts';
import { startChild } from '../testing/child-process.ts';
import type { MemoryReading } from '../testing/measured-sender.ts';
import { EVENTS } from '../testing/relay-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '../testing/test-kafka.ts';

const ROWS = sized(10_000, 200_000);
const VALUE = Buffer.alloc(6_000, 'order');
const CHUNK = 2_000;
const READINGS = 20;
const DRAIN_MS = 300_000;

let test: TestDatabase;
let kafka: TestKafka;
const source = new OutboxSource();

beforeAll(async () => {
  test = await openTestDatabase('outbox_backlog');
  kafka = await openTestKafka('outbox-backlog', [EVENTS]);
  for (let first = 1; first <= ROWS; first += CHUNK) await waiting(first, first + CHUNK - 1);
}, DRAIN_MS);

afterAll(async () => {
  await kafka.close();
  await test.close();
});

/** Rows as `Outbox` writes them, made by the server. */
async function waiting(first: number, last: number): Promise<void> {
  const headers = headersToText([['ce_partitionkey', Buffer.from('acme/order/#')]]);
  const insert = `
    INSERT INTO outbox (topic, key, headers, value, bytes)
    SELECT $1, convert_to(n::text, 'UTF8'), replace($2, '#', (n % 200)::text), $3::bytea, 100 + length($3::bytea)
    FROM generate_series($4::int, $5::int) AS n ORDER BY n`;
  await test.database.query(insert, [EVENTS, headers, VALUE, first, last]);
}

function readings(output: string): MemoryReading[] {
  return [...output.matchAll(/^MEMORY (.*)$/gm)].map(([, json]) => JSON.parse(json!) as MemoryReading);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe(`A backlog of ${ROWS} records`, () => {
  it('is never read or sorted as a whole for the next batch, whatever the planner knows of the table', async () => {
    const held = await new AdvisoryRelayLock(test.database, source.name).tryAcquire();
    const { connection } = held!;
    const step = { limit: { records: 500, bytes: 900_000 }, acked: [], underWay: [] };
    await connection.query('BEGIN');
    await source.advance(connection, step);
    const scans = "SELECT seq_scan::int, idx_tup_fetch::int FROM pg_stat_xact_user_tables WHERE relname = 'outbox'";
    const { rows } = await connection.query<{ seq_scan: number; idx_tup_fetch: number }>(scans);
    held!.release();
    expect(rows[0]?.seq_scan).toBe(0);
    expect(rows[0]?.idx_tup_fetch).toBeLessThan(2 * step.limit.records);
  });

  it(
    'is drained with flat memory',
    async () => {
      const relay = await startChild('relay.main.ts', {
        brokers: kafka.config.brokers,
        prefix: kafka.prefix,
        url: test.url,
        schema: test.schema,
        measureEvery: ROWS / READINGS,
      });
      try {
        await waitFor(async () => (await source.backlog(test.database)).records === 0, {
          describe: 'an empty outbox',
          timeoutMs: DRAIN_MS,
        });
        const held = readings(await relay.output()).map(({ heldBytes }) => heldBytes);
        // The first ones see the process warm up; and what is being sent and fetched just then differs by some
        // megabytes.
        const early = median(held.slice(2, READINGS / 2));
        const late = median(held.slice(READINGS / 2));
        expect(late / early).toBeLessThan(1.5);
        const ends = await kafka.ends(EVENTS);
        expect(ends.reduce((sum, end) => sum + end, 0)).toBe(ROWS);
      } finally {
        await relay.clear();
      }
    },
    DRAIN_MS,
  );
});
