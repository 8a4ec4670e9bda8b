import { Database } from '@gondola/service-kit/database/database';
import { waitFor } from '@gondola/local-stack/wait-for';
import { DAY_MS, HOUR_MS } from '@gondola/shared/durations';
import type { Bench, Say, Servers } from './bench.ts';
import { percentile } from './bench.ts';
import { type BenchApp, startBenchApp } from './bench-app.ts';
import { NO_RECOVERY } from './order-messages.ts';
import { TENANT } from './tenant.ts';
import { OLDEST, orderOf, productOf, type Year, yearOf, yearRows } from './year-rows.ts';

const ROUNDS = 40;
const LIMIT_MS = 100;
const MEGABYTE = 1_000_000;
const TOKEN = 'operations-token-of-the-bench';
const OF = `tenant=${TENANT}`;
const APPS = ['order-command-handler', 'catalog-publisher', 'file-gateway', 'webhook-ingest'];
interface Route {
  readonly parameters?: ReadonlyArray<{ readonly name: string }>;
}

/** Routes that read the platform, and those that read no table. */
const NOT_MEASURED = /\/(?:details|explanation|info|openapi\.json)$/;

/**
 * A year of a busy shop as it stands with its retentions: bytes of each table, time of the sweeps of one day's rows,
 * and the time of every route of the operations APIs. `scale` makes the shop smaller. Shown, never checked.
 */
export function yearBench(scale: number): Bench {
  return { name: 'year', run: (servers, say) => run(servers, say, yearOf(scale)) };
}

async function run(servers: Servers, say: Say, year: Year): ReturnType<Bench['run']> {
  const slowest: number[] = [];
  for (const app of APPS) {
    const schema = app.replaceAll('-', '_');
    await (await start(servers, app)).stop();
    const database = new Database({ url: servers.databaseUrl, schema, migrations: [], queryTimeoutMs: HOUR_MS });
    await database.connect();
    try {
      const at = new Date();
      for (const rows of yearRows(year, at.toISOString())[schema]!) await database.query(rows);
      await database.query('VACUUM ANALYZE');
      await saySizes(database, app, say);
      const begun = performance.now();
      const running = await start(servers, app);
      say(`  ready ${seconds(begun)} after its start`);
      await Promise.all(
        OLDEST[schema]!.map(async ([what, days, oldest]) => {
          const isSwept = async () => ((await oldestOf(database, oldest)) ?? Infinity) >= at.getTime() - days * DAY_MS;
          await waitFor(isSwept, { describe: `the sweep of ${what}`, timeoutMs: HOUR_MS });
          say(`  ${what}: a day’s rows are swept ${seconds(begun)} after its start`);
        }),
      );
      for (const path of await pathsOf(running, year)) slowest.push(await measure(running, path, say));
      await running.stop();
    } finally {
      await database.close();
    }
  }
  const most = Math.max(...slowest);
  return [{ what: `${LIMIT_MS} ms : slowest p95`, measured: LIMIT_MS / most, target: 1, atLeast: null }];
}

function start(servers: Servers, app: string): Promise<BenchApp> {
  const tenant = app === 'order-command-handler' ? { recovery: NO_RECOVERY } : {};
  return startBenchApp(servers, { app, tenant, env: { OPERATIONS_TOKEN: TOKEN, RETENTION_EVERY_MS: '50' } });
}

async function saySizes(database: Database, app: string, say: Say): Promise<void> {
  const { rows } = await database.query<{ name: string; bytes: number; rows: number }>(
    `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes, reltuples::float8 AS rows FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 2 DESC`,
  );
  say(`${app}: ${megabytes(rows.reduce((sum, { bytes }) => sum + bytes, 0))}`);
  for (const { name, bytes, rows: count } of rows.filter((table) => table.bytes > MEGABYTE)) {
    say(`  ${megabytes(bytes).padStart(10)}  ${name}, ${count} rows`);
  }
}

async function oldestOf(database: Database, statement: string): Promise<number | undefined> {
  const { rows } = await database.query<{ at: Date | null }>(statement);
  return rows[0]?.at?.getTime();
}

/** Every route of the app's operations API that reads, and the filters of the console's pages. */
async function pathsOf({ url }: BenchApp, year: Year): Promise<string[]> {
  const { paths } = (await (await ask(`${url}/api/openapi.json`)).json()) as { paths: Record<string, { get?: Route }> };
  const product = productOf(Math.ceil(year.products / 2));
  const order = orderOf(year, 40);
  const named: Record<string, string | number> = {
    externalReference: product,
    number: order,
    commandId: url.includes('file') ? `pdf-${order}` : `c-${order}-3`,
    loadId: 'prices-50',
    id: 100 * year.notifications,
    entityId: 'e',
  };
  const routes = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !path.startsWith('/api/') || NOT_MEASURED.test(path)) return [];
    const whole = path
      .replace('dead-letters/{id}', 'dead-letters/g%2F2000')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(named[name]));
    return get.parameters?.some(({ name }) => name === 'tenant') ? `${whole}?${OF}` : whole;
  });
  const filters: Record<string, readonly string[]> = {
    '/api/products': [`search=0421`, `search=produto%20421`, `search=7890000000421`],
    '/api/rejections': ['reason=FIELD_TYPE&field=field7'],
    '/api/orders': [
      'attention=true',
      'status=400',
      `number=${String(order).slice(0, -2)}`,
      `from=${new Date(Date.now() - 41 * DAY_MS).toISOString()}&to=${new Date(Date.now() - 40 * DAY_MS).toISOString()}`,
    ],
    '/api/dead-letters': ['state=open&reason=R1&topic=erp.orders.commands.v1'],
    '/api/notifications': [
      `orderNumber=${order}`,
      'state=parked',
      'eventType=Order_Updated',
      `entity=ProductWithSKUs&identity=${product}`,
    ],
    '/api/quarantine': ['state=open', 'reason=NOT_JSON'],
  };
  const filtered = Object.keys(paths).flatMap((path) => (filters[path] ?? []).map((each) => `${path}?${OF}&${each}`));
  return [...routes, ...filtered, '/metrics'];
}

/** Prints the times of a request, and returns the one that hardly any exceeds. */
async function measure({ url }: BenchApp, path: string, say: Say): Promise<number> {
  const times: number[] = [];
  let status = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const answer = await ask(url + path);
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    status = answer.status;
    if (!answer.ok && status !== 404) throw new Error(`${path} answered ${status}`);
  }
  const ascending = times.toSorted((one, other) => one - other);
  const [p50, p95] = [percentile(ascending, 0.5), percentile(ascending, 0.95)];
  say(`  p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms  ${status}  ${path}`);
  return p95;
}

function ask(url: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(0)} MB`;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
