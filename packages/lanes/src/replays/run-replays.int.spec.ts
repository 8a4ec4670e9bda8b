import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { HEADER, headerText, type WireRecord } from '@gondola/kafka/records/record-codec';
import { type Child, startChild } from '@gondola/kafka/testing/child-process';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import type { FetchedRecord } from '@gondola/kafka/wire/fetched-record';
import { waitFor } from '@gondola/local-stack/wait-for';

import { OrderErasuresRepository } from '../erased-orders/order-erasures.repository.ts';
import { EVENTS, eventOf, recordsOf, type ReplayBench, replayBench } from '../testing/replay-bench.ts';
import type { ReplaysProcessOptions } from '../testing/replays.main.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { Replay, Replays } from './replays.ts';

const ORDERS = ['100001', '100002', '100003', '100004', '100005'];
const REVISIONS = 60;
const ALL = ORDERS.length * REVISIONS;
const OTHER = 'erp.copy-of-events';

/** Key, value and headers of a record, without `ce_replay`. */
function bytesOf(record: FetchedRecord): string {
  const headers = record.rawHeaders().filter(([name]) => name !== HEADER.replay);
  return JSON.stringify([record.key, record.value, headers]);
}

const idOf = (record: FetchedRecord) => headerText(record.rawHeaders(), HEADER.id);
const orderOf = (record: FetchedRecord) => headerText(record.rawHeaders(), HEADER.subject);
const replayOf = (record: FetchedRecord) => headerText(record.rawHeaders(), HEADER.replay);

function firstOnes(records: readonly FetchedRecord[]): FetchedRecord[] {
  return records.filter((record, index) => records.findIndex((other) => idOf(other) === idOf(record)) === index);
}

function expectAllInOrder(originals: readonly FetchedRecord[], sent: readonly FetchedRecord[]): void {
  for (const order of new Set(originals.map(orderOf))) {
    const of = (records: readonly FetchedRecord[]) => records.filter((each) => orderOf(each) === order).map(bytesOf);
    expect(of(sent)).toEqual(of(originals));
  }
  expect(sent).toHaveLength(originals.length);
}

function marked(name: string): WireRecord {
  const event = eventOf('100009', 1);
  return { ...event, headers: [...event.headers, [name, Buffer.from('1')]] };
}

describe('a replay of what was published', () => {
  let test: TestDatabase;
  let kafka: TestKafka;
  let bench: ReplayBench;
  let replays: Replays;
  let child: Child | undefined;
  let sender: KafkaSender;

  beforeAll(async () => {
    test = await openTestDatabase('replays');
  });

  beforeEach(async () => {
    kafka = await openTestKafka('replays', [EVENTS]);
    await kafka.createPlain(OTHER as typeof EVENTS, 5);
    await test.database.query('TRUNCATE replays, order_erasures');
    bench = replayBench(test.database, { brokers: kafka.config.brokers, prefix: kafka.prefix });
    ({ replays } = bench);
    sender = new KafkaSender(kafka.client(), kafka.prefix);
    for (let revision = 1; revision <= REVISIONS; revision += 1)
      await sender.send(ORDERS.map((order) => eventOf(order, revision)));
  });

  afterEach(async () => {
    await child?.kill();
    child = undefined;
    await bench.runner.stop();
    await bench.kafka.close();
    await sender.close();
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  /** The records of the topic before its replay, and what the replay `id` sent. */
  async function sides(id: string, topic: string = EVENTS) {
    const own = await recordsOf(bench.kafka, EVENTS);
    const sent = (topic === EVENTS ? own : await recordsOf(bench.kafka, topic)).filter((each) => replayOf(each) === id);
    return { originals: own.filter((each) => replayOf(each) === undefined), sent };
  }

  async function turn(): Promise<void> {
    await test.database.query('UPDATE replays SET due_at = now()');
    await bench.runner.run();
  }

  async function untilFinished({ id }: Replay): Promise<Replay> {
    for (;;) {
      const replay = await replays.find(id);
      if (replay?.finishedAt !== null) return replay!;
      await turn();
    }
  }

  it('has the bytes, the keys, the headers and the order of each key of the first time, and one header more', async () => {
    const replay = await untilFinished(await bench.begin());
    expect(replay.progress).toMatchObject({ sent: ALL, erased: 0, superseded: 0, refused: 0, missingBefore: null });
    const { originals, sent } = await sides(replay.id);
    expect(originals).toHaveLength(ALL);
    expectAllInOrder(originals, sent);
    expect(await bench.metrics.getSingleMetricAsString('gondola_records_replayed_total')).toContain(
      `gondola_records_replayed_total{topic="${EVENTS}",what="sent"} ${ALL}`,
    );
  });

  it('is never replayed itself, nor is a redrive, another app’s record or what is no record of Gondola', async () => {
    await untilFinished(await bench.begin());
    const foreign = eventOf('100010', 1);
    const headers = foreign.headers.map(([name, value]) =>
      name === HEADER.source ? ([name, Buffer.from('/gondola/file-gateway')] as const) : ([name, value] as const),
    );
    await sender.send([marked(HEADER.redrive), { ...foreign, headers }]);
    await kafka.produce(EVENTS, [
      { key: 'k', value: 'no event' },
      { key: null, value: null },
    ]);
    const again = await untilFinished(await bench.begin());
    expect(again.progress.sent).toBe(ALL);
  });

  it('goes to another topic with other partitions in the order of each key, and leaves its own as it is', async () => {
    const replay = await untilFinished(await bench.begin({ target: OTHER }));
    const { originals, sent } = await sides(replay.id, OTHER);
    expectAllInOrder(originals, sent);
    expect((await kafka.ends(EVENTS)).reduce((sum, end) => sum + end)).toBe(ALL);
  });

  it('is of one order, of one tenant, or from a time on', async () => {
    await sender.send([eventOf('100001', 1, 'bemol')]);
    const one = await untilFinished(await bench.begin({ target: OTHER, orderNumber: '100003' }));
    const { sent } = await sides(one.id, OTHER);
    expect(sent.map(idOf)).toEqual(Array.from({ length: REVISIONS }, (_, index) => `acme:order:100003:${index + 1}`));
    const tenant = await untilFinished(await bench.begin({ target: OTHER, tenant: 'bemol' }));
    expect((await sides(tenant.id, OTHER)).sent.map(idOf)).toEqual(['bemol:order:100001:1']);
    const last = Number(
      (await recordsOf(bench.kafka, EVENTS)).find((each) => idOf(each)?.startsWith('bemol'))!.timestamp,
    );
    await waitFor(() => Date.now() > last + 1, { describe: 'another millisecond' });
    await sender.send([eventOf('100001', REVISIONS + 1)]);
    const late = await untilFinished(await bench.begin({ target: OTHER, since: new Date(last + 1) }));
    expect((await sides(late.id, OTHER)).sent.map(idOf)).toEqual([`acme:order:100001:${REVISIONS + 1}`]);
  });

  it('leaves out what is about an erased order, and counts it', async () => {
    const erasures = new OrderErasuresRepository(test.database);
    const order = { tenant: 'acme', orderNumber: '100002' };
    await test.database.transaction((tx) => erasures.add(tx, order, new Date(), { facts: 1 }));
    await test.database.transaction((tx) =>
      erasures.add(tx, { tenant: 'bemol', orderNumber: '100003' }, new Date(), {}),
    );
    const replay = await untilFinished(await bench.begin());
    expect(replay.progress).toMatchObject({ sent: ALL - REVISIONS, erased: REVISIONS });
    const { originals, sent } = await sides(replay.id);
    expect(sent.some((each) => orderOf(each) === 'order/100002')).toBe(false);
    expectAllInOrder(
      originals.filter((each) => orderOf(each) !== 'order/100002'),
      sent,
    );
  });

  it('says from which time on it has what was published, when Kafka has deleted some of it', async () => {
    const partitions = (await kafka.ends(EVENTS)).map((_, partition) => ({ partition, offset: '5' }));
    await kafka.admin.deleteTopicRecords({ topic: kafka.prefix + EVENTS, partitions });
    const before = Date.now();
    const replay = await untilFinished(await bench.begin());
    const missing = Date.parse(replay.progress.missingBefore!);
    expect(missing).toBeGreaterThanOrEqual(before - 7 * 86_400_000);
    expect(missing).toBeLessThanOrEqual(Date.now() - 7 * 86_400_000);
    const { originals, sent } = await sides(replay.id);
    expectAllInOrder(originals, sent);
    const recent = await bench.begin({ since: new Date(Date.now() - 86_400_000) });
    expect(recent.progress.missingBefore).toBeNull();
  });

  it('says so, too, when Kafka deletes what it had not reached yet', async () => {
    const replay = await bench.begin({ perSecond: 40 });
    await turn();
    const partitions = (await kafka.ends(EVENTS)).map((end, partition) => ({ partition, offset: String(end) }));
    await kafka.admin.deleteTopicRecords({ topic: kafka.prefix + EVENTS, partitions });
    await bench.runner.stop();
    const finished = await untilFinished(replay);
    expect(finished.progress.missingBefore).not.toBeNull();
    expect(finished.progress.sent).toBe(10);
  });

  it('stops after the records under way, and goes on from there', async () => {
    const replay = await bench.begin({ perSecond: 200 });
    await turn();
    await replays.setStopped(replay.id, true);
    await turn();
    expect((await replays.find(replay.id))?.progress.sent).toBe(50);
    await replays.setStopped(replay.id, false);
    const { originals, sent } = await sides((await untilFinished(replay)).id);
    expectAllInOrder(originals, sent);
  });

  it('goes on by itself, a turn after the other, until nothing is left', async () => {
    const replay = await bench.begin({ perSecond: 400 });
    await bench.runner.run();
    expect(await replays.find(replay.id)).toMatchObject({ progress: { sent: 100 }, problem: null, finishedAt: null });
    await bench.runner.start();
    await waitFor(async () => (await replays.find(replay.id))!.finishedAt !== null, { describe: 'the end' });
    expect(await replays.find(replay.id)).toMatchObject({ progress: { sent: ALL }, problem: null });
  });

  it('keeps its pace on however many replicas', async () => {
    const other = replayBench(await test.replica(), { brokers: kafka.config.brokers, prefix: kafka.prefix });
    const begun = performance.now();
    const replay = await bench.begin({ perSecond: 40 });
    for (let sent = 0; sent < 30;) {
      await Promise.all([bench.runner.run(), other.runner.run()]);
      ({ sent } = (await replays.find(replay.id))!.progress);
      // A turn of ten begins a quarter of a second after the one before, however long that took.
      expect(sent).toBeLessThanOrEqual(10 * (1 + (performance.now() - begun) / 250));
      await delay(10);
    }
    await other.runner.stop();
  });

  it('is shown instead of a second one of the same records, whatever time that begins with', async () => {
    const first = await bench.begin({ perSecond: 4 });
    expect((await bench.begin({ since: new Date(1_000) })).id).toBe(first.id);
    const [one, other] = await Promise.all([bench.begin({ tenant: 'acme' }), bench.begin({ tenant: 'acme' })]);
    expect(one.id).toBe(other.id);
    expect((await bench.begin({ target: OTHER })).id).not.toBe(first.id);
    await replays.setStopped(first.id, true);
    const second = await bench.begin();
    expect(second.id).not.toBe(first.id);
    await expect(replays.setStopped(first.id, false)).rejects.toThrow(/Another replay of the same records runs/);
  });

  it('goes on in another process after kill -9; only records of the last send are there twice, and none is missing', async () => {
    const place = { brokers: kafka.config.brokers, prefix: kafka.prefix };
    const options: ReplaysProcessOptions = { ...place, url: test.url, schema: test.schema };
    const replay = await bench.begin({ perSecond: 100 });
    for (const atLeast of [25, 100, 175]) {
      child = await startChild(new URL('../testing/replays.main.ts', import.meta.url), options);
      await waitFor(async () => (await replays.find(replay.id))!.progress.sent >= atLeast, { describe: 'records' });
      await child.kill();
      // Its lease would end by itself.
      await test.database.query('UPDATE replays SET due_at = now()');
    }
    const { progress } = await untilFinished(replay);
    const { originals, sent } = await sides(replay.id);
    expectAllInOrder(originals, firstOnes(sent));
    expect(progress.sent).toBe(ALL);
    expect(sent.length).toBeLessThanOrEqual(ALL + 3 * 25);
  });

  it('waits while the other topic is gone, says why, and loses nothing', async () => {
    const replay = await bench.begin({ target: OTHER, perSecond: 200 });
    await turn();
    await kafka.admin.deleteTopics({ topics: [kafka.prefix + OTHER] });
    await waitFor(
      async () => {
        await turn();
        return (await replays.find(replay.id))!.problem !== null;
      },
      { describe: 'a problem' },
    );
    await kafka.createPlain(OTHER as typeof EVENTS, 1);
    const { progress, problem } = await untilFinished(replay);
    expect(problem).toBeNull();
    expect(progress.sent).toBe(ALL);
  });

  it('passes a record that the other topic does not take, counts it, and sends those beside it', async () => {
    await sender.send([{ ...eventOf('100001', REVISIONS + 1), value: Buffer.alloc(20_000, '1') }]);
    const small = 'erp.small-records';
    const configEntries = [{ name: 'max.message.bytes', value: '10000' }];
    await kafka.admin.createTopics({ topics: [{ topic: kafka.prefix + small, numPartitions: 1, configEntries }] });
    await sender.send([eventOf('100001', REVISIONS + 2)]);
    const replay = await untilFinished(await bench.begin({ target: small, orderNumber: '100001', perSecond: 40 }));
    expect(replay.progress).toMatchObject({ sent: REVISIONS + 1, refused: 1 });
    expect((await sides(replay.id, small)).sent.map(idOf).at(-1)).toBe(`acme:order:100001:${REVISIONS + 2}`);
  });
});
