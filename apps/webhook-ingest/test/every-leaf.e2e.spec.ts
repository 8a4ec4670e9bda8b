import { createHash } from 'node:crypto';
import { sized } from '@gondola/local-stack/testing/sized';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import type { TopicReader } from '@gondola/local-stack/testing/topic-reader';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deliver } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { CATALOG, IngestBench, ORDERS, PATIENT_INBOX, USERS } from './support/ingest-bench.ts';
import { poisonedEverywhere, wholeNotifications } from './support/whole-notifications.ts';

const AT_ONCE = 20;
/** Coprime to the numbers of poisons and of names, so that each of them is in some places. */
const EVERY_NTH = sized(23, 1);

type Row = { readonly hash: string; readonly key: string; readonly partition: string; readonly topic: string | null };

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Each is an operation of its own: of two bodies that are one event, only the first is stored. */
function bodiesToSend(): string[] {
  const all = wholeNotifications('operation').flatMap(poisonedEverywhere);
  const chosen = all.filter((_, n) => n % EVERY_NTH === 0);
  return chosen.map(({ text }, n) => text.replace('"operation"', `"operation-${n}"`));
}

describe('a notification with poison in a place of it', () => {
  const bodies = bodiesToSend();
  let bench: IngestBench;
  let app: RunningApp;
  let topics: TopicReader;

  beforeAll(async () => {
    bench = await IngestBench.open('every-leaf', PATIENT_INBOX);
    app = await bench.start();
    topics = await bench.read(ORDERS, CATALOG, USERS);
  });

  afterAll(() => bench.close());

  it(`is answered 200, stored as it came, and published by the contract unless it is in quarantine: ${bodies.length} bodies (rule 4, guarantees 1, 6)`, async () => {
    await someAtOnce(bodies, AT_ONCE, async (body) => {
      expect(await deliver(app, body)).toMatchObject({ status: 200 });
    });
    const stored = await bench.rows<Row>(
      `SELECT encode(sha256(body), 'hex') AS hash, dedup_key AS key, partition_key AS partition, topic FROM notifications
       UNION ALL SELECT encode(sha256(body), 'hex'), dedup_key, reason, null FROM quarantine`,
    );
    expect(new Set(stored.map(({ hash }) => hash))).toEqual(new Set(bodies.map(hashOf)));
    expect(stored.map(({ partition }) => partition)).not.toContain('NOT_STORABLE');
    await bench.everythingSent();
    const relayed = stored.filter(({ topic }) => topic !== null);
    expect(relayed.length).toBeGreaterThan(bodies.length / 2);
    const published = firstRecords(await topics.waitForRecords((seen) => firstRecords(seen).length >= relayed.length));
    const asPublished = published.map(({ key, value, headers }) => {
      return `${hashOf(value ?? '')} ${String(key)} ${String(headers['ce_partitionkey'])}`;
    });
    expect(asPublished.toSorted()).toEqual(
      relayed.map(({ hash, key, partition }) => `${hash} ${key} ${partition}`).toSorted(),
    );
  });
});
