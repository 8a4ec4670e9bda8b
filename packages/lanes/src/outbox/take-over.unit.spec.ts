import { strict as assert } from 'node:assert';

import { sized } from '@gondola/local-stack/testing/sized';
import type { TopicName } from '@gondola/shared/topics/topics';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import type { PoolClient } from 'pg';

import { recordDigest } from '@gondola/kafka/records/record-digest';
import type { RecordSender } from '@gondola/kafka/produce/kafka-sender';
import { readBack } from '@gondola/kafka/produce/read-back';
import { type LogLine, recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import { type Answers, type Run, SimulatedLog, type SimulatedPartition } from '@gondola/kafka/testing/simulated-log';
import { OutboxRelay } from './outbox-relay.ts';
import type { RelayRow, RelaySource } from './relay-source.ts';

const RUNS = sized(40, 1_500);
const TOPICS: readonly TopicName[] = [
  'erp.orders.events.v1',
  'erp.orders.results.v1',
  'erp.catalog.results.v1',
  'erp.files.results.v1',
  'catalog.skus.v1',
  'dead-letters.v1',
];
const PREFIX = 'loja.';
/** From the take-over to the first row that is sent, or to the last that is found in Kafka. */
const MOST_MS = 15_000;
const BUDGET_BYTES = 200_000_000;
const WINDOW = 1_048_576;
/** Batches of a partition's largest that may be read before its newest records are. */
const LARGE_READ = 4;

/** Records of others behind a relay's own, or before them. */
const others = (megabytes: fc.Arbitrary<number>): fc.Arbitrary<Run> =>
  fc
    .record({
      bytes: fc.oneof(...[2_000, 2_000, 100_000, 5_000_000].map((max) => fc.integer({ min: 1, max }))),
      megabytes,
      perBatch: fc.integer({ min: 1, max: 500 }),
      left: fc.constantFrom(1, 1, 1, 2, 7, 90),
    })
    .map(({ bytes, megabytes: size, perBatch, left }) => ({
      count: Math.max(1, Math.floor((size * 1_000_000) / (bytes + 400))),
      bytes,
      perBatch: Math.max(1, Math.min(perBatch, Math.floor(1_000_000 / bytes))),
      left,
    }));
const old = others(fc.integer({ min: 0, max: 5_000 }));
const recent = others(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1, 3) }, fc.integer({ min: 0, max: 5_000 })));

const answers: fc.Arbitrary<Answers> = fc.record({
  bytesPerMs: fc.constantFrom(50, 500, 5_000, 5_000, 50_000, 1_000_000),
  latencyMs: fc.constantFrom(0, 1, 10, 300),
  edgesMs: fc.constantFrom(0, 0, 0, 900, 7_000),
  failsEvery: fc.constantFrom(0, 0, 0, 1, 3, 7),
  silent: fc.constantFrom(null, null, null, 'b1', 'b2'),
  access: fc.constantFrom(
    'read',
    'read',
    'read',
    'read',
    'read',
    'read',
    'describe',
    'none',
    'no topic',
    'no leader',
    'silence',
  ),
});

type PlaceKind = 'right' | 'missing' | 'old' | 'beyond' | 'negative' | 'of another prefix' | 'of an earlier version';
const placeKinds = fc.constantFrom<PlaceKind>(
  'right',
  'missing',
  'old',
  'beyond',
  'negative',
  'of another prefix',
  'of an earlier version',
);

const partitions = fc.array(
  fc.record({
    leader: fc.constantFrom('b1', 'b2'),
    start: fc.integer({ min: 0, max: 1_000_000 }),
    before: fc.array(old, { maxLength: 2 }),
    between: fc.option(recent, { nil: undefined }),
    behind: fc.option(recent, { nil: undefined }),
    place: placeKinds,
  }),
  { minLength: 1, maxLength: 4 },
);

interface World {
  readonly topics: readonly { readonly answers: Answers; readonly partitions: PartitionPlan[] }[];
  /** Topic and partition of each row that waits, by index. */
  readonly rows: readonly { readonly topic: number; readonly partition: number; readonly bytes: number }[];
  /** Rows that the relay before sent and did not mark. */
  readonly sent: number;
}
type PartitionPlan = typeof partitions extends fc.Arbitrary<(infer P)[]> ? P : never;

const worlds: fc.Arbitrary<World> = fc
  .record({
    topics: fc.array(fc.record({ answers, partitions }), { minLength: 1, maxLength: TOPICS.length }),
    rows: fc.array(fc.record({ topic: fc.nat(), partition: fc.nat(), bytes: fc.constantFrom(10, 600, 600, 60_000) }), {
      minLength: 1,
      maxLength: 40,
    }),
    sent: fc.nat(),
  })
  .map(({ topics, rows, sent }) => ({
    topics,
    sent: sent % (rows.length + 1),
    rows: rows.map(({ topic, partition, bytes }) => {
      const at = topic % topics.length;
      return { topic: at, partition: partition % topics[at]!.partitions.length, bytes };
    }),
  }));

/** Worlds whose Kafka answers. */
const healthyWorlds = worlds.map((world): World => {
  const healthy = { access: 'read', failsEvery: 0, silent: null } as const;
  return {
    ...world,
    topics: world.topics.map(({ answers: of, ...topic }) => ({
      ...topic,
      answers: { ...of, ...healthy, edgesMs: Math.min(of.edgesMs, 900) },
    })),
  };
});

/** A world with its records, as a relay meets it. */
class Scene {
  readonly waiting: RelayRow[];
  readonly sent: RelayRow[] = [];
  readonly logs = new Map<TopicName, SimulatedLog>();
  readonly places: { topic: string; partition: number; offset: string }[] = [];
  readonly #world: World;
  readonly #layout = new Map<string, { readonly runs: Run[]; readonly end: number; readonly firstOwn: number }>();
  firstSentAt: number | undefined;
  fetchesAtFirst = 0;

  constructor(world: World) {
    this.#world = world;
    this.waiting = world.rows.map(({ topic, bytes }, id) => ({
      id: String(id),
      topic: TOPICS[topic]!,
      key: Buffer.from(String(id)),
      headers: [['ce_id', Buffer.from(String(id))]],
      value: Buffer.alloc(bytes),
    }));
    world.topics.forEach((topic, at) => {
      const laid = topic.partitions.map((plan, partition) => this.#lay(at, partition, plan));
      this.logs.set(TOPICS[at]!, new SimulatedLog(laid, topic.answers));
    });
  }

  get bytesRead(): number {
    return sum([...this.logs.values()].map(({ read }) => read.bytes));
  }

  get fetches(): number {
    return sum([...this.logs.values()].map(({ read }) => read.fetches));
  }

  /** Bytes that whole fetches may add: one of each broker, and one batch. */
  get overshoot(): number {
    return sum([...this.logs.values()].map(({ read }) => 2 * (WINDOW + read.largestBatch)));
  }

  /**
   * True if the records that were sent to its topic are near enough to the ends of their partitions. Where large ones
   * begin is known only by reading some of them.
   */
  isInReach({ topic }: RelayRow): boolean {
    const at = TOPICS.indexOf(topic);
    const { answers: of, partitions: plans } = this.#world.topics[at]!;
    const depths = plans.map((_, partition) => this.#depth(at, partition));
    const bytes = plans.length * (2 * Math.max(...depths) + 8 * WINDOW + LARGE_READ * largestBatch(plans));
    const ms = bytes / of.bytesPerMs + 60 * plans.length * of.latencyMs + of.edgesMs;
    return bytes < BUDGET_BYTES / this.#world.topics.length && ms < 4_000;
  }

  /** Bytes of the partition from the first of the relay's own records on, with what each record costs. */
  #depth(topic: number, partition: number): number {
    const { runs } = this.#layout.get(`${topic}/${partition}`)!;
    const first = runs.findIndex(({ digests }) => digests !== undefined);
    return first === -1 ? 0 : sum(runs.slice(first).map(({ count, bytes }) => count * (bytes + 400)));
  }

  #lay(topic: number, partition: number, plan: PartitionPlan): SimulatedPartition {
    const own = this.#world.rows.flatMap((row, id) =>
      row.topic === topic && row.partition === partition && id < this.#world.sent ? [this.waiting[id]!] : [],
    );
    const half = Math.ceil(own.length / 2);
    const runs = [
      ...plan.before,
      ...runOf(own.slice(0, half)),
      ...(plan.between === undefined ? [] : [plan.between]),
      ...runOf(own.slice(half)),
      ...(plan.behind === undefined ? [] : [plan.behind]),
    ];
    const end = plan.start + sum(runs.map(({ count }) => count));
    const firstOwn = own.length === 0 ? end : plan.start + sum(plan.before.map(({ count }) => count));
    this.#layout.set(`${topic}/${partition}`, { runs, end, firstOwn });
    this.#place(TOPICS[topic]!, partition, plan, { end, firstOwn });
    return { start: plan.start, leader: plan.leader, runs };
  }

  #place(
    topic: TopicName,
    partition: number,
    { place, start }: PartitionPlan,
    at: { end: number; firstOwn: number },
  ): void {
    const store = (name: string, offset: number): void =>
      void this.places.push({ topic: name, partition, offset: String(offset) });
    if (place === 'right') store(PREFIX + topic, at.firstOwn);
    if (place === 'old') store(PREFIX + topic, Math.floor(start / 2));
    if (place === 'beyond') store(PREFIX + topic, at.end + 1_000);
    if (place === 'negative') store(PREFIX + topic, -5);
    if (place === 'of another prefix') store(`outra.${topic}`, at.end);
    if (place === 'of an earlier version') store(topic, at.firstOwn);
  }
}

function runOf(rows: readonly RelayRow[]): Run[] {
  if (rows.length === 0) return [];
  const bytes = Math.max(...rows.map(({ value }) => value!.length));
  return [{ count: rows.length, bytes, perBatch: rows.length, left: 1, digests: rows.map(recordDigest) }];
}

function largestBatch(plans: readonly PartitionPlan[]): number {
  const runs = plans.flatMap(({ before, between, behind }) =>
    [...before, between, behind].filter((run) => run !== undefined),
  );
  return Math.max(0, ...runs.map(({ count, perBatch, bytes }) => Math.min(count, perBatch) * bytes));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function sourceOf(scene: Scene): RelaySource {
  const drop = (ids: readonly string[]): void => {
    for (const id of ids)
      scene.waiting.splice(
        scene.waiting.findIndex((row) => row.id === id),
        1,
      );
  };
  return {
    name: 'outbox',
    advance: async (_, { acked, underWay, limit }) => {
      drop(acked);
      return scene.waiting.filter(({ id }) => !underWay.includes(id)).slice(0, limit.records);
    },
    waitingTopics: async () => [...new Set(scene.waiting.map(({ topic }) => topic))],
    markSent: async (_, ids) => drop(ids),
    park: async (_, id) => drop([id]),
    backlog: async () => ({ records: scene.waiting.length, parked: 0, oldestMs: null }),
  };
}

function senderOf(scene: Scene): RecordSender {
  return {
    send: async (records) => {
      scene.firstSentAt ??= performance.now();
      if (scene.sent.length === 0) scene.fetchesAtFirst = scene.fetches;
      scene.sent.push(...(records as readonly RelayRow[]));
      return { places: [], refusals: new Map() };
    },
    sentSince: async (topic, placesOf, limit) => {
      const found = await readBack(scene.logs.get(topic)!, placesOf(PREFIX + topic), limit);
      return found === null ? null : { ...found, name: PREFIX + topic };
    },
    close: async () => {},
  };
}

interface Played {
  readonly scene: Scene;
  readonly relay: OutboxRelay;
  readonly lines: readonly LogLine[];
  readonly ms: number;
}

/** A relay in a world, not started. */
function relayIn(scene: Scene, isHeld: () => boolean, sender = senderOf(scene)): Omit<Played, 'scene' | 'ms'> {
  const { logger, lines } = recordingLogger();
  const query = async (text: string) => ({ rows: text.trimStart().startsWith('SELECT topic') ? scene.places : [] });
  const held = { connection: { query } as unknown as PoolClient, isHeld, release: () => undefined };
  const lock = { tryAcquire: async () => (isHeld() ? held : null), tell: async () => undefined };
  return { lines, relay: new OutboxRelay({ source: sourceOf(scene), lock, sender, logger }) };
}

/** A relay that takes over in a world, until nothing waits. */
async function takeOver(world: World): Promise<Played> {
  const scene = new Scene(world);
  const { relay, lines } = relayIn(scene, () => true);
  const begun = performance.now();
  await relay.start();
  while (scene.waiting.length > 0 && performance.now() - begun < 2 * MOST_MS) await jest.advanceTimersByTimeAsync(50);
  const ms = (scene.firstSentAt ?? performance.now()) - begun;
  await stop(relay);
  return { scene, relay, lines, ms };
}

/** Time goes on for a relay that is stopped while it reads: it looks now and then whether it is to go on. */
async function stop(relay: OutboxRelay): Promise<void> {
  const stopped = relay.stop();
  await jest.advanceTimersByTimeAsync(5_000);
  await stopped;
}

async function never(): Promise<never> {
  return Promise.withResolvers<never>().promise;
}

/** Topics with 4.8 GB behind an old place each, from which Kafka sends so many bytes in a millisecond. */
function largeWorld(topics: number, bytesPerMs: number): World {
  const plan = {
    leader: 'b1' as const,
    start: 0,
    before: [{ count: 4_800_000, bytes: 1_000, perBatch: 500, left: 1 }],
  };
  const of = { bytesPerMs, latencyMs: 1, edgesMs: 0, failsEvery: 0, silent: null, access: 'read' } as const;
  const topic = {
    answers: of,
    partitions: [{ ...plan, between: undefined, behind: undefined, place: 'old' as const }],
  };
  return {
    topics: Array.from({ length: topics }, () => topic),
    rows: Array.from({ length: topics }, (_, at) => ({ topic: at, partition: 0, bytes: 600 })),
    sent: 0,
  };
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('a relay that takes over, whatever places and Kafka hold', () => {
  it('sends the first row within 15 s, reads within its budget and nothing afterwards, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { scene, ms } = await takeOver(world);
        expect(scene.waiting).toEqual([]);
        assert.ok(ms <= MOST_MS, `The first row was out after ${ms} ms`);
        assert.ok(scene.bytesRead <= BUDGET_BYTES + scene.overshoot, `It read ${scene.bytesRead} bytes`);
        if (scene.sent.length > 0) assert.equal(scene.fetches, scene.fetchesAtFirst, 'It read after it sent');
        const unsent = world.rows.length - world.sent;
        assert.deepEqual(
          scene.sent
            .slice(-unsent || Infinity)
            .map(({ id }) => Number(id))
            .filter((id) => id >= world.sent),
          Array.from({ length: unsent }, (_, nth) => world.sent + nth),
          'What was not in Kafka is sent, in its order',
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('sends none again whose records are within the budget of the ends of their partitions', async () => {
    await fc.assert(
      fc.asyncProperty(healthyWorlds, async (world) => {
        const before = new Scene(world);
        const reachable = before.waiting.slice(0, world.sent).filter((row) => before.isInReach(row));
        fc.pre(reachable.length > 0);
        const { scene } = await takeOver(world);
        const again = new Set(scene.sent.map(({ id }) => id));
        expect(reachable.filter(({ id }) => again.has(id)).map(({ id }) => id)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    { topics: 1, bytesPerMs: 300_000 },
    { topics: 1, bytesPerMs: 5_000 },
    { topics: 6, bytesPerMs: 5_000 },
    { topics: 6, bytesPerMs: 1 },
  ])('sends within 15 s, and says what it did not read: $topics topics, $bytesPerMs bytes/ms', async (of) => {
    const { scene, relay, lines, ms } = await takeOver(largeWorld(of.topics, of.bytesPerMs));
    expect(scene.sent).toHaveLength(of.topics);
    expect(ms).toBeLessThan(MOST_MS);
    expect(relay.cutComparisons).toBe(1);
    expect(lines.filter(({ msg }) => msg.includes('was cut short')).map(({ topic }) => topic)).toEqual(
      expect.arrayContaining(TOPICS.slice(0, of.topics)),
    );
  });

  it('ends at once when it is stopped while it compares, sends nothing and reads nothing more', async () => {
    const scene = new Scene(largeWorld(6, 5_000));
    const { relay } = relayIn(scene, () => true);
    await relay.start();
    await jest.advanceTimersByTimeAsync(1_000);
    const stopped = relay.stop();
    await jest.advanceTimersByTimeAsync(200);
    await stopped;
    const { fetches } = scene;
    await jest.advanceTimersByTimeAsync(20_000);
    expect([scene.sent, relay.cutComparisons, scene.fetches]).toEqual([[], 0, fetches]);
    expect(fetches).toBeGreaterThan(0);
  });

  it('sends nothing and reads nothing more if it loses the lock while it compares', async () => {
    const scene = new Scene(largeWorld(6, 5_000));
    let isHeld = true;
    const { relay } = relayIn(scene, () => isHeld);
    await relay.start();
    await jest.advanceTimersByTimeAsync(1_000);
    isHeld = false;
    await jest.advanceTimersByTimeAsync(200);
    const { fetches } = scene;
    await jest.advanceTimersByTimeAsync(20_000);
    expect([scene.sent, relay.isActive(), scene.fetches]).toEqual([[], false, fetches]);
    await stop(relay);
  });

  it('reads only what is new when it tries again because Kafka did not take the rows', async () => {
    const scene = new Scene(largeWorld(1, 300_000));
    const sender = senderOf(scene);
    let attempts = 0;
    const send = async () => {
      attempts += 1;
      throw new Error('Kafka did not accept the records');
    };
    const { relay } = relayIn(scene, () => true, { ...sender, send });
    await relay.start();
    await jest.advanceTimersByTimeAsync(6_000);
    const { bytesRead } = scene;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(attempts).toBeGreaterThan(5);
    expect(scene.bytesRead).toBe(bytesRead);
    expect(relay.cutComparisons).toBe(1);
    await stop(relay);
  });

  it('sends although its sender never says what it found', async () => {
    const scene = new Scene(largeWorld(1, 300_000));
    const { relay } = relayIn(scene, () => true, { ...senderOf(scene), sentSince: never });
    await relay.start();
    await jest.advanceTimersByTimeAsync(MOST_MS);
    expect([scene.sent.length, relay.cutComparisons]).toEqual([1, 1]);
    await stop(relay);
  });
});
