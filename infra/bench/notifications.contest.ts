import { KafkaSender } from '@gondola/messaging/kafka-sender';
import type { WireRecord } from '@gondola/messaging/record-codec';
import { NotificationSource } from '../../apps/webhook-ingest/src/outbound/notification-source.ts';
import { CreateNotifications1760000002001 } from '../../apps/webhook-ingest/src/outbound/notifications.migration.ts';
import type { Servers } from './bench.ts';
import { type BenchRoom, openRoom, orderBody, PREFIX, sendBare } from './bench-room.ts';
import type { Contest } from './contest.ts';
import { drain } from './drain.ts';

const RECORDS = 12_000;
const TOPIC = 'platform.notifications.orders.v1';

/** An inbox as webhook-ingest leaves it: none sent yet. */
const FILL = `
  INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body, traceparent, received_at)
  SELECT 'bench:' || n || ':Order_Updated:' || repeat('0', 64), 'bench', n::text, 'Order_Updated', 'Order', '${TOPIC}',
    'bench/order/' || n % 200, 'order/' || n % 200, $1, '00-00000000000000000000000000000000-0000000000000000-01', now()
  FROM generate_series(1, ${RECORDS}) AS n ORDER BY n`;

/** As `relayContest`, from the inbox: there a row is not deleted when it is sent, but marked. */
export async function notificationsContest(servers: Servers): Promise<Contest> {
  const room = await openRoom(servers, 'bench_notifications', [CreateNotifications1760000002001], TOPIC);
  const { database, logger } = room;
  const source = new NotificationSource('bench');
  const body = orderBody();
  const fill = async (): Promise<void> => {
    await database.query('TRUNCATE notifications');
    await database.query(FILL, [body]);
  };
  const bare = {
    name: 'bare kafkajs producer',
    run: async () => {
      await fill();
      return sendBare(room, await allOf(room, source));
    },
  };
  const relay = {
    name: 'inbox relay',
    run: async () => {
      await fill();
      const sender = new KafkaSender(room.kafka, PREFIX);
      return (RECORDS * 1_000) / (await drain({ database, source, sender, logger }));
    },
  };
  return {
    name: 'inbox relay, 6 kB notifications',
    unit: 'records/s',
    candidates: [bare, relay],
    checks: [{ of: relay.name, to: bare.name, target: 0.6, atLeast: 0.6 }],
    close: room.close,
  };
}

/** What the relay would send, byte for byte. */
async function allOf({ database }: BenchRoom, source: NotificationSource): Promise<WireRecord[]> {
  const connection = await database.connection();
  const limit = { records: RECORDS, bytes: Number.MAX_SAFE_INTEGER };
  try {
    return await source.advance(connection, { limit, acked: [], underWay: [] });
  } finally {
    connection.release();
  }
}
