import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';

import { testStack } from '@gondola/local-stack/test-stack';
import { type ReadRecord, readTopics } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName } from '@gondola/shared/topics/topics';

import { KafkaSender, RecordSendError } from '@gondola/kafka/produce/kafka-sender';
import { Lanes } from '../lanes/lanes.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { OutboxSource } from './outbox-source.ts';
import { Outbox } from './outbox.ts';
import { AdvisoryRelayLock } from './relay-lock.ts';
import type { RelayRow, RelayStep } from './relay-source.ts';
import { GatedSender } from '@gondola/kafka/testing/gated-sender';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import {
  assertEntityOrder,
  assertNoneTwice,
  eventOf,
  EVENTS,
  idsOf,
  publish,
  untilSent,
} from '../testing/relay-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, TEST_SEND_TIMEOUT_MS, type TestKafka } from '@gondola/kafka/testing/test-kafka';

/** Two such values do not fit into one send. */
const HALF_A_SEND = 'x'.repeat(600_000);

class WatchedSource extends OutboxSource {
  /** Number of answers of `advance`. */
  fetched = 0;

  override async advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]> {
    const rows = await super.advance(connection, step);
    this.fetched += 1;
    return rows;
  }
}

interface Watched {
  readonly relay: OutboxRelay;
  readonly source: WatchedSource;
  readonly sender: GatedSender;
}

let test: TestDatabase;
let kafka: TestKafka;
const relays: OutboxRelay[] = [];

beforeAll(async () => {
  test = await openTestDatabase('outbox_relay_overlap');
});

beforeEach(async () => {
  kafka = await openTestKafka('outbox-relay-overlap', [EVENTS]);
});

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await kafka.close();
  await test.database.query('TRUNCATE outbox');
});

afterAll(async () => {
  await test.close();
});

/** A relay whose sends wait until the test releases them. */
function gatedRelay(standbyMs = 50): Watched {
  const source = new WatchedSource();
  const sender = new GatedSender(new KafkaSender(kafka.client(), kafka.prefix, TEST_SEND_TIMEOUT_MS));
  const lock = new AdvisoryRelayLock(test.database, source.name);
  const relay = new OutboxRelay({ source, lock, sender, logger: quietLogger(), pollMs: 10, standbyMs });
  relays.push(relay);
  return { relay, source, sender };
}

/** Waits until the first send is held back and the rows after it are fetched. */
async function untilAhead({ source, sender }: Watched): Promise<void> {
  await waitFor(() => sender.begun.length === 1 && source.fetched >= 2, { describe: 'a send, and a fetch beside it' });
}

async function arrived(): Promise<ReadRecord[]> {
  const total = (await kafka.ends(EVENTS)).reduce((sum, end) => sum + end, 0);
  const reader = await readTopics(testStack().kafkaBrokers, [fullTopicName(kafka.prefix, EVENTS)]);
  const records = await reader.waitForRecords((seen) => seen.length >= total);
  await reader.close();
  return records;
}

describe('a relay that fetches while it sends', () => {
  it('begins a send after the previous one is acknowledged, and sends each record once', async () => {
    for (const place of [1, 2, 3]) await publish(test.database, eventOf('1', place, HALF_A_SEND));
    const watched = gatedRelay();
    await watched.relay.start();
    await untilAhead(watched);
    expect(watched.sender.begun).toEqual([['1#1']]);
    watched.sender.open();
    await untilSent(test.database);
    const records = await arrived();
    expect(idsOf(records)).toEqual(['1#1', '1#2', '1#3']);
    expect(watched.sender.begun).toEqual([['1#1'], ['1#2'], ['1#3']]);
  });

  it('drops the fetched records if its lock is lost while it sends', async () => {
    for (const place of [1, 2, 3]) await publish(test.database, eventOf('1', place, HALF_A_SEND));
    const loser = gatedRelay(600_000);
    await loser.relay.start();
    await untilAhead(loser);
    const follower = gatedRelay();
    follower.sender.open();
    await follower.relay.start();
    const holders = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`;
    await test.database.query(holders, [`gondola:relay:${test.schema}:outbox`]);
    await waitFor(() => follower.relay.isActive(), { describe: 'another one to take over' });
    await untilSent(test.database);
    loser.sender.open();
    await waitFor(() => !loser.relay.isActive(), { describe: 'the first one to notice' });
    expect(loser.sender.begun).toEqual([['1#1']]);
    const records = await arrived();
    assertEntityOrder(records);
    // The records in transit when the lock was lost are there twice, with the same id.
    expect(idsOf(records)).toEqual(['1#1', '1#2', '1#3', '1#1']);
  });

  it('repeats a failed send before later records', async () => {
    for (const place of [1, 2]) await publish(test.database, eventOf('1', place, HALF_A_SEND));
    const watched = gatedRelay();
    await watched.relay.start();
    await untilAhead(watched);
    watched.sender.fail(new RecordSendError('Kafka is away'));
    watched.sender.open();
    await untilSent(test.database);
    expect(watched.sender.begun).toEqual([['1#1'], ['1#1'], ['1#2']]);
    expect(idsOf(await arrived())).toEqual(['1#1', '1#2']);
  });

  it('finds records that are committed late with an earlier number', async () => {
    const watched = gatedRelay();
    const lanes = new Lanes(test.database);
    await test.database.transaction(async (tx) => {
      await lanes.wake(tx, [{ tenant: 'acme', kind: 'order', identity: 'late' }]);
      await new Outbox('order-command-handler').append(tx, [eventOf('late', 1)]);
      await publish(test.database, eventOf('1', 1), eventOf('1', 2));
      await watched.relay.start();
      await untilAhead(watched);
    });
    watched.sender.open();
    await untilSent(test.database);
    const records = await arrived();
    assertEntityOrder(records);
    assertNoneTwice(records);
    expect(idsOf(records).toSorted()).toEqual(['1#1', '1#2', 'late#1']);
  });

  it('marks the last sent records when it stops, so that the next relay does not repeat them', async () => {
    for (const place of [1, 2]) await publish(test.database, eventOf('1', place, HALF_A_SEND));
    const first = gatedRelay();
    await first.relay.start();
    await untilAhead(first);
    const stopped = first.relay.stop();
    first.sender.open();
    await stopped;
    expect(first.sender.begun).toEqual([['1#1']]);
    const second = gatedRelay();
    second.sender.open();
    await second.relay.start();
    await untilSent(test.database);
    expect(idsOf(await arrived())).toEqual(['1#1', '1#2']);
  });
});
