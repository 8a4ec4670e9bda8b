import { createHash } from 'node:crypto';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty } from 'fast-check';
import type { ReadRecord, TopicReader } from '@gondola/local-stack/testing/topic-reader';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { anyBody } from './support/any-body.ts';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { ACME, CATALOG, IngestBench, ORDERS, USERS, PATIENT_INBOX } from './support/ingest-bench.ts';

const BODIES = sized(1_000, 10_000);
const AT_ONCE = 20;
const SEED = 20_261_121;

let bench: IngestBench;
let app: RunningApp;
let topics: TopicReader;

beforeAll(async () => {
  bench = await IngestBench.open('bytes', PATIENT_INBOX);
  app = await bench.start();
  topics = await bench.readAnything(ORDERS, CATALOG, USERS);
});

afterAll(async () => {
  await bench.close();
});

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

const storedBodies = () =>
  bench.rows<{ hash: string; topic: string | null }>(
    `SELECT encode(sha256(body), 'hex') AS hash, topic FROM notifications
     UNION ALL SELECT encode(sha256(body), 'hex'), null FROM quarantine`,
  );

/** Waits until each body is the value of a record. */
async function recordsOf(bodies: readonly string[]) {
  const hashes = bodies.map(hashOf);
  const isTold = (told: ReadonlySet<string>) => hashes.every((hash) => told.has(hash));
  return await topics.waitForRecords((seen) => isTold(new Set(seen.map(({ value }) => hashOf(value ?? '')))));
}

describe('any bytes of a known sender', () => {
  it(`are answered 200, stored as they were received, and passed on as they were stored: ${BODIES} bodies (rule 4, guarantees 1, 6)`, async () => {
    const sent = new Set<string>();
    const before = new Set((await storedBodies()).map(({ hash }) => hash));
    await assert(
      asyncProperty(array(anyBody, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (bodies) => {
        const answers = await Promise.all(bodies.map((body) => deliver(app, body)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        for (const body of bodies) sent.add(hashOf(body));
      }),
      { numRuns: BODIES / AT_ONCE, seed: SEED, endOnFailure: true },
    );
    const stored = (await storedBodies()).filter(({ hash }) => !before.has(hash));
    expect(new Set(stored.map(({ hash }) => hash))).toEqual(sent);
    const relayed = stored.filter(({ topic }) => topic !== null);
    expect(relayed.length).toBeGreaterThan(BODIES / 8);
    await bench.everythingSent();
    const since = (records: readonly ReadRecord[]) =>
      firstRecords(records)
        .map(({ value }) => hashOf(value ?? ''))
        .filter((hash) => !before.has(hash));
    const told = since(await topics.waitForRecords((seen) => since(seen).length >= relayed.length));
    expect(told.toSorted()).toEqual(relayed.map(({ hash }) => hash).toSorted());
  });

  it('reach the topic with each null, gap and unknown field that they came with (guarantee 6)', async () => {
    const head = `"contractAccountId":"${ACME}","relatedEntity":"Order","eventType":"Order_Updated"`;
    const bodies = [
      `{"operationId":"a",${head},"data":null}`,
      `{"operationId":"b",${head},"data":{},"error":null}`,
      `{"operationId":"c",${head},"data":{"number":7,"user":null,"items":[null]},"novo":{"campo":null},"error":{}}`,
      `{"operationId":"d",${head},"data":{"number":7,"invoiceUrl":null,"total":1.10},"traceparent":"00-x","id":null}`,
    ];
    for (const body of bodies) expect(await deliver(app, body)).toMatchObject({ status: 200 });
    await recordsOf(bodies);
  });

  it('reach the topic as the longest body that is taken, beside many short ones (guarantee 1)', async () => {
    const short = Array.from({ length: 50 }, (_, number) => envelope({ data: { number, note: 'x'.repeat(40_000) } }));
    const bare = envelope({ data: { number: 1, note: '' } });
    const long = bare.replace('"note":""', `"note":"${'x'.repeat(5_000_000 - bare.length)}"`);
    const bodies = [...short, long];
    const answers = await Promise.all(bodies.map((body) => deliver(app, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const records = await recordsOf(bodies);
    expect(records.some(({ value }) => value?.length === 5_000_000)).toBe(true);
  });
});
