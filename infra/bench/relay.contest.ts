import { KafkaSender } from '@gondola/messaging/kafka/kafka-sender';
import { messagingMigrations } from '@gondola/messaging/messaging-tables';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { OutboxSource } from '@gondola/messaging/outbox/outbox-source';
import { encodeRecord, type OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Servers } from './bench.ts';
import { openRoom, orderBody, PREFIX, sendBare } from './bench-room.ts';
import type { Contest } from './contest.ts';
import { drain } from './drain.ts';

const RECORDS = 12_000;
const ENTITIES = 200;
const TOPIC = 'erp.orders.events.v1';
const APP = 'bench';

/**
 * Share of a bare producer's throughput that the outbox reaches: the same records of 6 kB, acks of all, from
 * existing rows.
 */
export async function relayContest(servers: Servers): Promise<Contest> {
  const room = await openRoom(servers, 'bench_relay', [...messagingMigrations], TOPIC);
  const { database, logger } = room;
  const recordAt = recordsOf(orderBody());
  const outbox = new Outbox(APP);
  const source = new OutboxSource();
  const bare = {
    name: 'bare kafkajs producer',
    run: () => sendBare(room, RECORDS, (index) => encodeRecord(recordAt(index), APP)),
  };
  const relay = {
    name: 'outbox relay',
    run: async () => {
      const records = Array.from({ length: RECORDS }, (_, index) => recordAt(index));
      await database.transaction((tx) => outbox.append(tx, records));
      const sender = new KafkaSender(room.kafka, PREFIX);
      return (RECORDS * 1_000) / (await drain({ database, source, sender, logger }));
    },
  };
  return {
    name: 'outbox relay, 6 kB records',
    unit: 'records/s',
    candidates: [bare, relay],
    checks: [{ of: relay.name, to: bare.name, target: 0.6, atLeast: 0.6 }],
    close: room.close,
  };
}

function recordsOf(value: Buffer): (index: number) => OutRecord {
  return (index) => {
    const id = `bench:order:${index}`;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const partitionKey = `bench/order/${index % ENTITIES}`;
    const time = '2026-11-20T13:00:00.000Z';
    return {
      topic: TOPIC,
      key: id,
      id,
      type: 'OrderApproved',
      time,
      tenant: 'bench',
      partitionKey,
      traceparent,
      value,
    };
  };
}
