import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { IngestBench, ORDERS } from './support/ingest-bench.ts';

const MEBIBYTE = 1_048_576;

let bench: IngestBench;
let spool: string;
let noDatabase: Record<string, string>;

beforeEach(async () => {
  bench = await IngestBench.open('limits');
  spool = bench.spoolFolder();
  const nowhere = `postgres://gondola:x@127.0.0.1:${await freePort()}/gondola`;
  noDatabase = { SPOOL_DIR: spool, DATABASE_URL: nowhere, INBOX_BUDGET_MS: '200' };
});

afterEach(async () => {
  await bench.close();
});

/** Bodies of one order, in sequence. */
function steps(count: number, note = ''): string[] {
  return Array.from({ length: count }, (_, step) => envelope({ data: { number: 7, step, note } }));
}

/** The topic holds all of the bodies in their order, and nothing else. */
async function expectTold(bodies: readonly string[]): Promise<void> {
  const orders = await bench.read(ORDERS);
  await orders.waitForRecords((seen) => firstRecords(seen).length >= bodies.length);
  await bench.everythingSent();
  expect(firstRecords(orders.records()).map(({ value }) => String(value))).toEqual(bodies);
}

describe('a spool', () => {
  it('whose last record a crash broke off loses none of those that were answered, and makes none up (guarantee 1)', async () => {
    const bodies = steps(20);
    const first = await bench.startProcess(noDatabase);
    for (const body of bodies) expect(await deliver(first, body)).toMatchObject({ status: 200 });
    await first.kill();
    const files = (await readdir(spool, { recursive: true })).filter((name) => name.endsWith('.spool')).toSorted();
    const last = join(spool, files.at(-1) ?? '');
    const record = await readFile(last);
    await appendFile(last, record.subarray(0, envelope().length));

    const second = await bench.start({ SPOOL_DIR: spool });
    await expectTold(bodies);
    expect(await deliver(second, envelope())).toMatchObject({ status: 200 });
    expect(bench.log.some((line) => line.includes('cut off'))).toBe(true);
  });

  it('that is full ends in 503, after an alert and not before, and keeps what was answered 200 (rule 4, guarantee 1)', async () => {
    const app = await bench.start({ ...noDatabase, SPOOL_MAX_BYTES: String(MEBIBYTE) }, { inboxIsAway: true });
    const bodies = steps(15, 'x'.repeat(100_000));
    const statuses: number[] = [];
    for (const body of bodies) statuses.push((await deliver(app, body)).status);
    const kept = statuses.indexOf(503);
    expect(statuses).toEqual(bodies.map((_, index) => (index < kept ? 200 : 503)));
    expect(kept).toBeGreaterThanOrEqual(10);
    expect(bench.log.some((line) => line.includes('half full') && line.includes('"error"'))).toBe(true);
    await app.stop();

    const second = await bench.start({ SPOOL_DIR: spool });
    await expectTold(bodies.slice(0, kept));
    const repeat = bodies[kept] ?? '';
    expect(await deliver(second, repeat)).toMatchObject({ status: 200 });
  });
});
