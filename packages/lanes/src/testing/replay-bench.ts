import { Registry } from 'prom-client';

import type { KafkaClients } from '@gondola/kafka/client/kafka-clients';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import type { MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { encodeRecord, type OutRecord, type WireRecord } from '@gondola/kafka/records/record-codec';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import type { FetchedRecord } from '@gondola/kafka/wire/fetched-record';
import type { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { orderEventKey } from '@gondola/shared/topics/dedup-keys';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';

import { OrderErasuresRepository } from '../erased-orders/order-erasures.repository.ts';
import { Outbox } from '../outbox/outbox.ts';
import { NewestOfKeys } from '../replays/newest-of-keys.ts';
import { ReplayKafka } from '../replays/replay-kafka.ts';
import { newProgress } from '../replays/replay-places.ts';
import { type NewReplay, type Replay, Replays } from '../replays/replays.ts';
import { RunReplays } from '../replays/run-replays.ts';

export const EVENTS = 'erp.orders.events.v1';
export const APP = 'order-command-handler';
const FIRST_MS = Date.parse('2026-11-26T08:00:00Z');

/** Where replays run. */
export interface ReplayPlaceOfWork {
  readonly brokers: readonly string[];
  readonly prefix: string;
}

export interface ReplayBench {
  readonly runner: RunReplays;
  readonly replays: Replays;
  readonly kafka: ReplayKafka;
  readonly metrics: Registry;
  /** Begins a replay of all events, or of what `more` says. */
  begin(more?: Partial<NewReplay>): Promise<Replay>;
}

/** Replays as in `MessagingModule`, without a relay. */
export function replayBench(
  database: Database,
  { brokers, prefix }: ReplayPlaceOfWork,
  newest = new NewestOfKeys(),
): ReplayBench {
  const clients = {
    for: () => createKafka({ brokers, ssl: false }, 'replay', quietLogger()),
  } as unknown as KafkaClients;
  const kafka = new ReplayKafka(clients, { topicPrefix: prefix } as MessagingOptions);
  const registry = new Registry();
  const replays = new Replays(database);
  const begin = async (more: Partial<NewReplay> = {}): Promise<Replay> => {
    const of: Pick<NewReplay, 'topic' | 'since' | 'perSecond'> & Partial<NewReplay> = {
      topic: EVENTS,
      since: new Date(0),
      perSecond: 5_000,
      ...more,
    };
    const { log, edges } = await kafka.open(of.topic);
    const found = await log.placesAt(edges, of.since.getTime());
    log.close();
    const progress = newProgress(of, edges, found, Date.now());
    return replays.begin({ target: of.topic, tenant: null, orderNumber: null, requestedBy: null, progress, ...of });
  };
  const runner = new RunReplays(
    database,
    replays,
    kafka,
    new OrderErasuresRepository(database),
    newest,
    new Outbox(APP),
    { wake: () => {} },
    new MessagingMetrics(registry),
    new Clock(),
    quietLogger(),
  );
  return { runner, replays, kafka, metrics: registry, begin };
}

/** The `revision`-th event of an order, as its app sends it. */
export function eventOf(orderNumber: string, revision: number, tenant = 'acme'): WireRecord {
  const id = orderEventKey(tenant, orderNumber, revision);
  const record: OutRecord = {
    topic: EVENTS,
    key: id,
    id,
    type: 'OrderUpdated',
    subject: subjectOf({ kind: 'order', identity: orderNumber }),
    time: new Date(FIRST_MS + revision).toISOString(),
    tenant,
    partitionKey: partitionKey(tenant, 'order', orderNumber),
    sequence: revision,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    value: Buffer.from(JSON.stringify({ id, orderNumber: Number(orderNumber), revision, note: 'ação € 1.00' })),
  };
  return encodeRecord(record, APP);
}

/** Calls back for each record of a topic, of each partition in their order. */
export async function forEachRecord(
  kafka: ReplayKafka,
  name: string,
  see: (record: FetchedRecord) => void,
): Promise<void> {
  const opened = await kafka.open(name);
  try {
    for (const { partition, start, end } of opened.edges) {
      for (let next = String(start); BigInt(next) < end;) {
        const records = await kafka.recordsAt(opened, { partition, from: next, next, end: String(end) });
        for (const record of records) if (!record.isControlRecord) see(record);
        next = records.length === 0 ? String(end) : String(BigInt(records.at(-1)!.offset) + 1n);
      }
    }
  } finally {
    opened.log.close();
  }
}

/** All records of a topic, of each partition in their order. */
export async function recordsOf(kafka: ReplayKafka, name: string): Promise<readonly FetchedRecord[]> {
  const all: FetchedRecord[] = [];
  await forEachRecord(kafka, name, (record) => all.push(record));
  return all;
}
