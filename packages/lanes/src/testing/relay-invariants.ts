import { strict as assert } from 'node:assert';

import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';
import type { TopicName } from '@gondola/shared/topics/topics';

import { Lanes } from '../lanes/lanes.ts';
import { OutboxSource } from '../outbox/outbox-source.ts';
import { Outbox } from '../outbox/outbox.ts';
import type { OutRecord } from '@gondola/kafka/records/record-codec';

export const EVENTS: TopicName = 'erp.orders.events.v1';

/** The `place`-th record of an entity; its id contains both. */
export function eventOf(entity: string, place: number, value = ''): OutRecord {
  const id = `${entity}#${place}`;
  return {
    topic: EVENTS,
    key: id,
    id,
    type: 'OrderChanged',
    time: '2026-11-20T10:00:00Z',
    tenant: 'acme',
    partitionKey: `acme/order/${entity}`,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    value: Buffer.from(value),
  };
}

const outbox = new Outbox('order-command-handler');

/** Publishes records as an app does: with lanes locked, in one transaction. */
export async function publish(database: Database, ...records: OutRecord[]): Promise<void> {
  const lanes = new Lanes(database);
  await database.transaction(async (tx) => {
    const identities = records.map(({ partitionKey = '' }) => partitionKey);
    await lanes.wake(
      tx,
      identities.map((identity) => ({ tenant: 'acme', kind: 'order', identity })),
    );
    await outbox.append(tx, records);
  });
}

export function idsOf(records: readonly ReadRecord[]): string[] {
  return records.map(({ headers }) => headers['ce_id'] ?? '');
}

/**
 * The records of each entity arrived in the order of their places on one partition, apart from repeats; and repeats
 * have the key of the first occurrence.
 */
export function assertEntityOrder(records: readonly ReadRecord[]): void {
  const keys = new Map<string, string | null>();
  const partitions = new Map<string, number>();
  const last = new Map<string, number>();
  for (const { headers, key, partition } of records) {
    const id = headers['ce_id'] ?? '';
    const [entity = '', place] = id.split('#');
    assert.equal(partitions.get(entity) ?? partition, partition, `${entity} is on two partitions`);
    partitions.set(entity, partition);
    if (keys.has(id)) {
      assert.equal(key, keys.get(id), `A repeat of ${id} has another key`);
      continue;
    }
    keys.set(id, key);
    assert.ok(Number(place) > (last.get(entity) ?? -1), `${id} came after ${entity}#${last.get(entity)}`);
    last.set(entity, Number(place));
  }
}

export function assertNoneTwice(records: readonly ReadRecord[]): void {
  const ids = idsOf(records);
  assert.equal(ids.length, new Set(ids).size, 'A record was sent twice');
}

/** Waits until relays have sent all records of the outbox, except parked ones. */
export async function untilSent(database: Database): Promise<void> {
  const source = new OutboxSource();
  await waitFor(async () => (await source.backlog(database)).records === 0, {
    describe: 'an empty outbox',
  });
}
