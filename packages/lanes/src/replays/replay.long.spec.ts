import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { KafkaSender, type RecordSender } from '@gondola/kafka/produce/kafka-sender';
import { HEADER, headerText, type WireRecord } from '@gondola/kafka/records/record-codec';
import { recordDigest } from '@gondola/kafka/records/record-digest';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { sized } from '@gondola/local-stack/testing/sized';
import { waitFor } from '@gondola/local-stack/wait-for';

import { Outbox } from '../outbox/outbox.ts';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { OutboxSource } from '../outbox/outbox-source.ts';
import { AdvisoryRelayLock } from '../outbox/relay-lock.ts';
import { EVENTS, eventOf, forEachRecord, type ReplayBench, replayBench } from '../testing/replay-bench.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const EVENT_COUNT = sized(2_000, 100_000);
const ORDERS = 500;
const PER_SECOND = 4_000;
const AT_ONCE = 500;
/** A live event is stored so often, and the replay runs and stands for so long in turn. */
const LIVE_EVERY_MS = 10;
const WINDOW_MS = 4_000;
const BETWEEN_MS = 2_000;
/** Live records are to take at most a fifth longer; a machine that others share needs room above that. */
const MOST_RATIO = 1.5;

let test: TestDatabase;
let kafka: TestKafka;
let bench: ReplayBench;
let relay: OutboxRelay;
const outbox = new Outbox('order-command-handler');
const born = new Map<string, number>();
const latencies = { during: [] as number[], between: [] as number[] };
let phase: keyof typeof latencies = 'between';
const liveEnd = new AbortController();

beforeAll(async () => {
  test = await openTestDatabase('replay-long');
  kafka = await openTestKafka('replay-long', [EVENTS]);
  bench = replayBench(test.database, { brokers: kafka.config.brokers, prefix: kafka.prefix });
  const source = new OutboxSource(outbox.recent);
  const lock = new AdvisoryRelayLock(test.database, source.name);
  const sender = measured(new KafkaSender(kafka.client(), kafka.prefix));
  relay = new OutboxRelay({ source, lock, sender, logger: quietLogger() });
});

afterAll(async () => {
  await bench?.runner.stop();
  await relay?.stop();
  await kafka?.close();
  await test?.close();
});

/** Notes how long each live record took from its commit to Kafka's acknowledgement. */
function measured(sender: RecordSender): RecordSender {
  return {
    sentSince: (...of) => sender.sentSince(...of),
    close: () => sender.close(),
    send: async (records) => {
      const answer = await sender.send(records);
      for (const { headers } of records) {
        const since = born.get(headerText(headers, HEADER.id)!);
        if (since !== undefined) latencies[phase].push(performance.now() - since);
      }
      return answer;
    },
  };
}

async function writeEvents(): Promise<void> {
  const sender = new KafkaSender(kafka.client(), kafka.prefix);
  for (let at = 0; at < EVENT_COUNT; at += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, index): WireRecord => {
      const event = eventOf(String(100_001 + ((at + index) % ORDERS)), 1 + Math.floor((at + index) / ORDERS));
      return { ...event, value: Buffer.concat([event.value!, Buffer.alloc(600, ' ')]) };
    });
    await sender.send(events);
  }
  await sender.close();
}

async function liveEvents(): Promise<void> {
  for (let revision = 1; !liveEnd.signal.aborted; revision += 1) {
    const event = eventOf('900001', revision, 'live');
    await test.database.transaction((tx) => outbox.appendWire(tx, [event]));
    born.set(headerText(event.headers, HEADER.id)!, performance.now());
    relay.wake();
    await delay(LIVE_EVERY_MS);
  }
}

/** Digests of the events of each order: those of the first time, and those of the replay. */
async function sides(id: string) {
  const originals = new Map<string, string[]>();
  const sent = new Map<string, string[]>();
  await forEachRecord(bench.kafka, EVENTS, (record) => {
    const { key, value } = record;
    const all = record.rawHeaders();
    if (headerText(all, HEADER.tenant) === 'live') return;
    const headers = all.filter(([name]) => name !== HEADER.replay);
    const side = headerText(all, HEADER.replay) === id ? sent : originals;
    const order = headerText(all, HEADER.subject)!;
    const of = side.get(order) ?? [];
    side.set(order, of);
    of.push(recordDigest({ key, value, headers }));
  });
  return { originals, sent };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)]!;
}

it(`replays ${EVENT_COUNT} events as they were, in the order of each key, beside live traffic that does not wait`, async () => {
  await writeEvents();
  await relay.start();
  await waitFor(() => relay.isActive(), { describe: 'an active relay' });
  const live = liveEvents();
  await delay(BETWEEN_MS);
  const { id } = await bench.begin({ tenant: 'acme', perSecond: PER_SECOND });
  const begun = performance.now();
  await bench.runner.start();
  while ((await bench.replays.find(id))?.finishedAt === null) {
    await bench.replays.setStopped(id, false);
    phase = 'during';
    const until = performance.now() + WINDOW_MS;
    const isOver = async () => (await bench.replays.find(id))!.finishedAt !== null || performance.now() > until;
    await waitFor(isOver, { describe: 'the end of a window' });
    await bench.replays.setStopped(id, true);
    phase = 'between';
    await delay(BETWEEN_MS);
  }
  const took = performance.now() - begun;
  liveEnd.abort();
  await live;
  const { progress } = (await bench.replays.find(id))!;
  expect(progress).toMatchObject({ sent: EVENT_COUNT, erased: 0, refused: 0 });
  const { originals, sent } = await sides(id);
  expect([...sent.values()].reduce((sum, { length }) => sum + length, 0)).toBe(EVENT_COUNT);
  for (const [order, digests] of originals) expect(sent.get(order)).toEqual(digests);
  const [during, between] = [latencies.during, latencies.between];
  const ratio = quantile(during, 0.5) / quantile(between, 0.5);
  const figures = (of: readonly number[]) =>
    `${of.length} live events, median ${quantile(of, 0.5).toFixed(1)} ms, 95 % ${quantile(of, 0.95).toFixed(1)} ms`;
  process.stdout.write(
    `${EVENT_COUNT} events in ${(took / 1_000).toFixed(1)} s with pauses; during: ${figures(during)}; ` +
      `between: ${figures(between)}; ratio of the medians ${ratio.toFixed(2)}\n`,
  );
  expect(ratio).toBeLessThan(MOST_RATIO);
});
