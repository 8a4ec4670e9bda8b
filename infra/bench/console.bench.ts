import type { Bench, Say } from './bench.ts';
import { percentile } from './bench.ts';
import { type BenchApp, startBenchApp } from './bench-app.ts';
import { openRoom } from './bench-room.ts';
import { NO_RECOVERY } from './order-messages.ts';
import { TENANT } from './tenant.ts';

const ROUNDS = 40;
const LIMIT_MS = 300;
const TOKEN = 'operations-token-of-the-bench';
const OF = `tenant=${TENANT}`;

/** 50,000 products of which 5,000 are rejected, 20,000 orders, 100,000 notifications, 5,000 dead letters. */
const ROWS = [
  `INSERT INTO catalog_publisher.products (lane_id, tenant, external_reference, known, name, words)
   SELECT n, '${TENANT}', lpad(n::text, 6, '0'), '{"exists":true}', 'Produto ' || n, 'Produto ' || n || ' 789' || lpad(n::text, 10, '0')
   FROM generate_series(1, 50000) AS n`,
  `INSERT INTO catalog_publisher.rejections (lane_id, tenant, kind, external_reference, command_id, outcome, reason, field, message)
   SELECT n, '${TENANT}', 'product', lpad(n::text, 6, '0'), 'c' || n, 'invalid', 'FIELD_TYPE', 'field' || n % 20, 'Erro'
   FROM generate_series(1, 5000) AS n`,
  `INSERT INTO order_command_handler.lanes (id, tenant, kind, identity) OVERRIDING SYSTEM VALUE
   SELECT 1000000 + n, '${TENANT}', 'order', (100000 + n)::text FROM generate_series(1, 20000) AS n`,
  `INSERT INTO order_command_handler.orders (lane_id, tenant, order_number, status, status_since, look_at, attention)
   SELECT 1000000 + n, '${TENANT}', (100000 + n)::text, (ARRAY[300, 400, 500, 600, 700])[1 + n % 5], now() - (20000 - n) * interval '1 minute', NULL,
     CASE WHEN n % 400 = 0 THEN '[]'::json END FROM generate_series(1, 20000) AS n`,
  `INSERT INTO order_command_handler.dead_letters
     (id, consumer_group, topic, partition, record_offset, headers, tenant, reason_code, reason, dead_at)
   SELECT 'g/' || n, 'g', 'erp.orders.commands.v1', n % 3, n, '[]', '${TENANT}', 'R' || n % 5, '-', now() - n * interval '1 minute'
   FROM generate_series(1, 5000) AS n`,
  `INSERT INTO webhook_ingest.notifications
     (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent, received_at, sent_at)
   SELECT 'k' || n, '${TENANT}', 'o' || n, 'Order_Updated', 'Order', 'platform.notifications.orders.v1',
     '${TENANT}/order/' || 100000 + n / 5, '\\x01', '', now(), now() FROM generate_series(1, 100000) AS n`,
  `INSERT INTO webhook_ingest.delivery_hours (hour, tenant, outcome, deliveries)
   SELECT date_trunc('hour', now()) - n * interval '1 hour', '${TENANT}', outcome, 100 FROM generate_series(0, 47) AS n,
     unnest(ARRAY['stored', 'repeated']) AS outcome`,
];

/** First request of each page of the console, by app. */
const PAGES = {
  'catalog-publisher': [
    `/api/today?${OF}`,
    `/api/loads?${OF}`,
    `/api/products?${OF}`,
    `/api/products?${OF}&search=0421`,
    `/api/products?${OF}&search=produto%20421`,
    `/api/products?${OF}&search=7890000042199`,
    `/api/rejections/groups?${OF}`,
    `/api/rejections?${OF}&reason=FIELD_TYPE&field=field7`,
  ],
  'order-command-handler': [
    `/api/today?${OF}`,
    `/api/orders?${OF}`,
    `/api/orders?${OF}&attention=true`,
    `/api/orders?${OF}&status=500`,
    `/api/orders?${OF}&number=11999`,
    `/api/orders?${OF}&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`,
    `/api/dead-letters/groups?${OF}`,
    `/api/dead-letters?${OF}&state=open&reason=R1&topic=erp.orders.commands.v1`,
    `/api/jobs?${OF}`,
  ],
  'webhook-ingest': [
    `/api/today?${OF}`,
    `/api/deliveries/hours?${OF}`,
    `/api/notifications?${OF}`,
    `/api/notifications?${OF}&orderNumber=110000`,
    `/api/notifications?${OF}&state=parked`,
    `/api/quarantine/groups?${OF}`,
  ],
} as const;

/** Time of each page's first request at its API, with a shop's year of rows. Shown, never checked. */
export const consoleBench: Bench = {
  name: 'console',
  run: async (servers, say) => {
    const room = await openRoom(servers, []);
    const apps: BenchApp[] = [];
    try {
      for (const app of Object.keys(PAGES)) {
        const tenant = app === 'order-command-handler' ? { recovery: NO_RECOVERY } : {};
        apps.push(await startBenchApp(servers, { app, tenant, env: { OPERATIONS_TOKEN: TOKEN } }));
      }
      for (const rows of ROWS) await room.database.query(rows);
      for (const app of Object.keys(PAGES)) await analyze(room.database, app.replaceAll('-', '_'));
      say(`first requests of pages, ${ROUNDS} times each: p50, p95`);
      const slowest: number[] = [];
      for (const [index, paths] of Object.values(PAGES).entries()) {
        for (const path of paths) slowest.push(await measure(apps[index]!, path, say));
      }
      const most = Math.max(...slowest);
      return [{ what: `slowest p95 : ${LIMIT_MS} ms`, measured: LIMIT_MS / most, target: 1, atLeast: null }];
    } finally {
      await Promise.all(apps.map((app) => app.stop()));
      await room.close();
    }
  },
};

async function analyze(database: Awaited<ReturnType<typeof openRoom>>['database'], schema: string): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    [schema],
  );
  for (const { name } of rows) await database.query(`ANALYZE ${schema}.${name}`);
}

/** Prints the times of a request, and returns the one that hardly any exceeds. */
async function measure({ url }: BenchApp, path: string, say: Say): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    times.push(performance.now() - begun);
  }
  const ascending = times.toSorted((one, other) => one - other);
  const [p50, p95] = [percentile(ascending, 0.5), percentile(ascending, 0.95)];
  say(`${p50.toFixed(1).padStart(8)} ms ${p95.toFixed(1).padStart(8)} ms  ${path}`);
  return p95;
}
