import { fork } from 'node:child_process';
import { once } from 'node:events';
import { SOURCES } from '@gondola/local-stack/child-app';
import { encodeRecord, type WireRecord } from '@gondola/messaging/codec/record-codec';
import type { Servers } from './bench.ts';
import { openRoom, orderBody, PREFIX, sendBare } from './bench-room.ts';
import type { Contest } from './contest.ts';

const RECORDS = 12_000;
const TOPIC = 'platform.notifications.orders.v1';
const INBOX_RELAY = new URL('../../apps/webhook-ingest/test/bench/inbox-relay.main.ts', import.meta.url);

/** As `relayContest`, from the inbox of webhook-ingest, where a published row is marked and not deleted. */
export async function notificationsContest(servers: Servers): Promise<Contest> {
  const room = await openRoom(servers, 'bench_notifications_room', [], TOPIC);
  const body = orderBody();
  const options = { ...servers, topicPrefix: PREFIX, records: RECORDS, body: body.toString() };
  const child = fork(INBOX_RELAY, [JSON.stringify(options)], {
    execArgv: [...SOURCES, '--disable-warning=TimeoutNegativeWarning'],
  });
  const gone = new AbortController();
  child.once('exit', (code) => gone.abort(new Error(`The inbox relay ended with ${code}`)));
  const bare = {
    name: 'bare kafkajs producer',
    run: () => sendBare(room, RECORDS, (index) => recordLike(body, index)),
  };
  const relay = {
    name: 'inbox relay',
    run: async () => {
      child.send('round');
      const [elapsedMs] = (await once(child, 'message', { signal: gone.signal })) as [number];
      return (RECORDS * 1_000) / elapsedMs;
    },
  };
  return {
    name: 'inbox relay, 6 kB notifications',
    unit: 'records/s',
    candidates: [bare, relay],
    checks: [{ of: relay.name, to: bare.name, target: 0.6, atLeast: 0.6 }],
    close: async () => {
      child.disconnect();
      // Its connections are closed before their servers stop.
      await once(child, 'exit');
      await room.close();
    },
  };
}

/** A record as the inbox publishes it. */
function recordLike(value: Buffer, index: number): WireRecord {
  const id = `bench:${index}:Order_Updated:${'0'.repeat(64)}`;
  const order = `order/${index % 200}`;
  return encodeRecord(
    {
      topic: TOPIC,
      key: id,
      id,
      type: 'platform.Order_Updated',
      subject: order,
      time: '2026-11-20T13:00:00.000Z',
      tenant: 'bench',
      partitionKey: `bench/${order}`,
      traceparent: '00-00000000000000000000000000000000-0000000000000000-01',
      extra: { ce_operationid: String(index), ce_relatedentity: 'Order' },
      value,
    },
    'webhook-ingest',
  );
}
