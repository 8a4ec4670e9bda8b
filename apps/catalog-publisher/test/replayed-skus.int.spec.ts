import { HEADER, headerText } from '@gondola/kafka/records/record-codec';
import { skuRecord, skuTombstone } from '@gondola/kafka/records/sku-record';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { messagingEntities } from '@gondola/lanes/messaging-tables';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { recordsOf, type ReplayBench, replayBench } from '@gondola/lanes/testing/replay-bench';
import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { catalogMigrations } from '../src/database.schema.ts';
import type { SkuContent } from '../src/product-state/known-sku.ts';
import { NewestSkus } from '../src/product-state/newest-skus.repository.ts';
import { SkusRepository } from '../src/product-state/skus.repository.ts';

const SKUS = 'catalog.skus.v1';
const TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const NAMES = ['1-a', '1-b', '2-a'];
const RUNS = 12;
/** A statement that waits for the lock of a SKU. */
const WAITING = `
  SELECT 1 FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE '%external_reference AS sku, version%' AND query NOT LIKE '%activity%'`;

/** A step of a course of SKUs that are replayed; `sku` is the place of a SKU in `NAMES`. */
const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('publish' as const), sku: fc.nat(2), isGone: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish-beside' as const), sku: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('relay' as const, 'begin' as const, 'turn' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('park' as const), sku: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const) }) },
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

describe('a replay of SKU snapshots, on real Kafka and PostgreSQL', () => {
  const repository = new SkusRepository();
  const outbox = new Outbox('catalog-publisher');
  let schema: Awaited<ReturnType<typeof createTestSchema>>;
  let database: Database;
  let kafka: TestKafka;
  let bench: ReplayBench;
  let relay: OutboxRelay;

  beforeAll(async () => {
    schema = await createTestSchema('replayed-skus');
    const tables = { entities: messagingEntities, migrations: catalogMigrations };
    database = new Database({ url: testStack().databaseUrl, schema: schema.schema, ...tables });
    await database.connect();
  });

  beforeEach(open);
  afterEach(close);

  afterAll(async () => {
    await database.close();
    await schema.drop();
  });

  async function open(): Promise<void> {
    await database.query('TRUNCATE replays, skus, outbox, relay_places');
    kafka = await openTestKafka('replayed-skus', [SKUS]);
    bench = replayBench(database, { brokers: kafka.config.brokers, prefix: kafka.prefix }, new NewestSkus());
    const source = new OutboxSource();
    const lock = new AdvisoryRelayLock(database, source.name);
    const sender = new KafkaSender(kafka.client(), kafka.prefix);
    relay = new OutboxRelay({ source, lock, sender, logger: quietLogger(), standbyMs: 20, pollMs: 20 });
  }

  async function close(): Promise<void> {
    await relay.stop();
    await bench.runner.stop();
    await bench.kafka.close();
    await kafka.close();
  }

  /** Publishes the next version of a SKU as its app does: its row first, then the outbox. */
  async function publish(tx: Tx, sku: string, isGone = false): Promise<void> {
    const [known] = await repository.load(tx, 'acme', { references: [sku], laneIds: [] });
    const version = String(BigInt(known?.version ?? '0') + 1n);
    const content = { tenant: 'acme', skuExternalReference: sku, productExternalReference: '1', name: version };
    const full = { ...content, skuId: null, productId: null, ean: null, reference: null } as unknown as SkuContent;
    const row = { externalReference: sku, laneId: '1', productExternalReference: '1', version };
    await repository.savePublished(tx, 'acme', [{ ...row, content: isGone ? null : full }]);
    const time = '2026-11-26T08:00:00.000Z';
    const gone = { tenant: 'acme', skuExternalReference: sku, version, time };
    const record = isGone ? skuTombstone(gone, TRACE) : skuRecord(buildSkuSnapshot({ ...full, version, time }), TRACE);
    await outbox.append(tx, [record]);
  }

  async function sendAll(): Promise<void> {
    await relay.start();
    const waiting = 'SELECT 1 FROM outbox WHERE parked_at IS NULL';
    await waitFor(async () => (await database.query(waiting)).rowCount === 0, { describe: 'an empty outbox' });
    await relay.stop();
  }

  async function turn(): Promise<void> {
    await database.query('UPDATE replays SET due_at = now()');
    await bench.runner.run();
  }

  const begin = (more: object = {}) => bench.begin({ topic: SKUS, perSecond: 8, ...more });

  async function finish(id: string) {
    for (let replay = await bench.replays.find(id); replay?.finishedAt === null; replay = await bench.replays.find(id))
      await turn();
    return (await bench.replays.find(id))!.progress;
  }

  /** `ce_id` of the last record of each key. */
  async function newestInTopic(): Promise<ReadonlyMap<string, string>> {
    const records = await recordsOf(bench.kafka, SKUS);
    return new Map(records.map((record) => [String(record.key), headerText(record.rawHeaders(), HEADER.id)!]));
  }

  async function newestPublished(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await database.query<{ sku: string; version: string }>(
      'SELECT external_reference AS sku, version::text FROM skus',
    );
    return new Map(rows.map(({ sku, version }) => [`acme/${sku}`, `acme/${sku}:${version}`]));
  }

  /** A turn of the replays meets the transaction after its row is changed and before it ends. */
  async function publishBeside(sku: string): Promise<void> {
    let beside: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await publish(tx, sku);
      beside = turn();
      let isOver = false;
      void beside.finally(() => (isOver = true));
      await waitFor(async () => isOver || (await database.query(WAITING)).rowCount !== 0, { describe: 'the turn' });
    });
    await beside;
  }

  async function play(step: Step): Promise<void> {
    const sku = 'sku' in step ? NAMES[step.sku]! : '';
    switch (step.do) {
      case 'publish':
        return database.transaction((tx) => publish(tx, sku, step.isGone));
      case 'publish-beside':
        return publishBeside(sku);
      case 'relay':
        return sendAll();
      case 'begin':
        await begin();
        return;
      case 'turn':
        return turn();
      case 'park':
        // Kafka refuses a record once those before it are sent or parked.
        await database.query(
          `UPDATE outbox SET parked_at = now(), parked_reason = 'CORRUPT_MESSAGE'
           WHERE seq = (SELECT min(seq) FROM outbox WHERE key = $1 AND parked_at IS NULL)`,
          [Buffer.from(`acme/${sku}`)],
        );
        return;
      default:
        await database.query('UPDATE outbox SET parked_at = NULL, parked_reason = NULL');
    }
  }

  it('publishes the newest one of each SKU again, byte for byte, and passes those that a newer one replaced', async () => {
    for (const isGone of [false, true])
      await database.transaction(async (tx) => {
        await publish(tx, '1-a');
        await publish(tx, '1-b', isGone);
      });
    await sendAll();
    const before = await recordsOf(bench.kafka, SKUS);
    const { id } = await begin();
    expect(await finish(id)).toMatchObject({ sent: 2, superseded: 2 });
    await sendAll();
    const sent = await recordsOf(bench.kafka, SKUS);
    const again = sent.filter((each) => headerText(each.rawHeaders(), HEADER.replay) === id);
    for (const key of ['acme/1-a', 'acme/1-b']) {
      const [original, copy] = [before, again].map((records) => records.findLast((each) => String(each.key) === key)!);
      expect(copy!.value).toEqual(original!.value);
      expect(copy!.rawHeaders()).toEqual([...original!.rawHeaders(), [HEADER.replay, Buffer.from(id)]]);
    }
  });

  it('finds a snapshot of which only its replay is left, and marks it anew', async () => {
    await database.transaction((tx) => publish(tx, '1-a'));
    await sendAll();
    await finish((await begin()).id);
    await sendAll();
    const { id } = await begin();
    expect(await finish(id)).toMatchObject({ sent: 1, superseded: 1 });
    await sendAll();
    const last = (await recordsOf(bench.kafka, SKUS)).at(-1)!;
    expect(last.rawHeaders().filter(([name]) => name === HEADER.replay)).toEqual([[HEADER.replay, Buffer.from(id)]]);
  });

  it('waits for a transaction that publishes a newer one, and then passes the older one', async () => {
    await database.transaction((tx) => publish(tx, '1-a'));
    await sendAll();
    const { id } = await begin();
    await publishBeside('1-a');
    expect(await finish(id)).toMatchObject({ sent: 0, superseded: 1 });
    await sendAll();
    expect(await newestInTopic()).toEqual(new Map([['acme/1-a', 'acme/1-a:2']]));
  });

  it('never leaves an older value as the newest of its key, however it meets what is published, sent and parked', async () => {
    await close();
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 8, maxLength: 24 }), async (steps) => {
        await open();
        try {
          for (const step of steps) await play(step);
          for (const { id } of await bench.replays.list(null, '1000000', 50)) await finish(id);
          await play({ do: 'release' });
          await sendAll();
          expect(await newestInTopic()).toEqual(await newestPublished());
        } finally {
          await close();
        }
      }),
      { numRuns: RUNS },
    );
    await open();
  });
});
