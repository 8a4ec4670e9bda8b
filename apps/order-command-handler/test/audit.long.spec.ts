import { join } from 'node:path';
import { type ChildApp, FROM_SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { waitFor } from '@gondola/local-stack/wait-for';
import { tenantOn, TestInstallation } from '@gondola/kafka/testing/test-installation';
import { endLeases, namedConnections } from '@gondola/lanes/testing/end-leases';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Audit, AuditedOrder } from '../src/audit/audit.dto.ts';
import { auditedOrder, type OrderOfMonth } from './support/audited-order.ts';
import { agreed, invoiceOf, isInvoiced, storeMonth } from './support/month-of-orders.ts';
import { NO_RECOVERY } from './support/order-app.ts';
import { OrderPlatform } from './support/order-platform.ts';

const ORDERS = Number(process.env['AUDIT_ORDERS'] ?? 20_000);
const FIRST = 100_001;
/** Between two of the differences. */
const STEP = Math.floor(ORDERS / 14);
/** One read every five milliseconds. */
const READS_PER_MINUTE = 12_000;
const MINUTE_MS = 60_000;

/** One difference of each kind: what the shop shows in place of the agreed; null for no order. */
const PLANTED: ReadonlyArray<readonly [kind: string, changed: Partial<OrderOfMonth> | null]> = [
  ['unknown-to-erp', {}],
  ['unknown-to-shop', null],
  ['status', { status: 400 }],
  ['item', { lines: 2 }],
  ['quantity', { quantity: 3 }],
  ['price', { price: '5.26' }],
  ['discount', { discount: '0.01' }],
  ['freight', { freight: '2.01' }],
  ['total', { total: '12.46' }],
  ['invoice-number', { invoice: { number: '999', value: '12.45' } }],
  ['invoice-value', { invoice: { number: '', value: '12.44' } }],
  ['pdf-missing', { invoiceUrl: null }],
];

/** The planted differences by the number of their order; those of invoices are at orders with one. */
const PLACES = new Map(
  PLANTED.map(([kind, changed], index) => {
    const number = FIRST + (index + 1) * STEP;
    return [/invoice|pdf/.test(kind) === isInvoiced(number) ? number : number + 1, { kind, changed }] as const;
  }),
);

/** An order as the shop shows it; null for none. */
function shown(number: number): object | null {
  const { changed = {} } = PLACES.get(number) ?? {};
  if (changed === null) return null;
  const order = { ...agreed(number), ...changed };
  if (order.invoice?.number !== '') return auditedOrder(order);
  return auditedOrder({ ...order, invoice: { ...order.invoice, number: invoiceOf(number) } });
}

describe(`the audit of a month of ${ORDERS} orders`, () => {
  let platform: OrderPlatform;
  let installation: TestInstallation;
  let child: ChildApp | undefined;
  let url: string;
  const readAt: number[] = [];
  const deaths = new Map<number, () => void>();

  beforeEach(async () => {
    platform = await OrderPlatform.start();
    platform.on.payload = ({ path }) => {
      const nth = readAt.push(performance.now());
      const dies = deaths.get(nth);
      if (dies !== undefined) {
        dies();
        return 'hang';
      }
      const order = shown(Number(/Orders\/(\d+)\//.exec(path)?.[1]));
      return order === null ? { status: 404 } : { status: 200, json: order };
    };
    const tenant = { ...tenantOn(platform.url), recovery: NO_RECOVERY, audit: { readsPerMinute: READS_PER_MINUTE } };
    // Longer than the test: only `endLeases` gives up what a killed process held.
    const env = { LANE_LEASE_MS: '900000', KAFKA_SESSION_MS: '6000' };
    installation = await TestInstallation.create({ label: 'audit-long', tenants: [tenant], env }, () =>
      platform.stop(),
    );
    await start();
  });

  afterEach(async () => {
    await child?.kill();
    await installation.close();
  });

  async function start(): Promise<void> {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const { env } = installation;
    const named = namedConnections(env['DATABASE_URL']!, env['DATABASE_SCHEMA']!);
    child = await startChildApp({
      name: 'order-command-handler',
      args: FROM_SOURCES,
      cwd: join(import.meta.dirname, '..'),
      env: { ...env, DATABASE_URL: named, HTTP_PORT: String(port) },
      logFile: join(installation.folder, 'order-command-handler.log'),
      readyUrl: `${url}/health/ready`,
    });
  }

  async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await (await asOperator(`${url}/api/audits${path}`, init)).json()) as T;
  }

  it('finds each planted difference and nothing else, over a kill, and at most so many reads a minute', async () => {
    const numbers = Array.from({ length: ORDERS }, (_, index) => FIRST + index);
    await storeMonth(
      installation,
      numbers.filter((number) => PLACES.get(number)?.kind !== 'unknown-to-erp'),
    );
    const killed = new Promise<void>((resolve) => void deaths.set(Math.floor(ORDERS / 2), resolve));
    const headers = { 'content-type': 'application/json' };
    const begun = performance.now();
    const { id } = await call<Audit>('', { method: 'POST', headers, body: JSON.stringify({ month: '2024-10' }) });
    await killed;
    await child!.kill();
    const { env } = installation;
    await endLeases({ url: env['DATABASE_URL']!, schema: env['DATABASE_SCHEMA']! }, env['DATABASE_SCHEMA']!);
    const { open } = (
      await installation.query<{ open: number }>(
        'SELECT count(*)::int AS open FROM audited_orders WHERE outcome IS NULL AND looks = 0',
      )
    )[0]!;
    await start();
    await waitFor(async () => (await call<Audit>(`/${id}`)).state === 'finished', {
      describe: 'the end of the audit',
      timeoutMs: 3_000_000,
    });
    const tookMs = performance.now() - begun;
    const audit = await call<Audit>(`/${id}`);
    // The shop has no cancelled order, and one less than Gondola; the ERP knows one less than the shop.
    const shopCents = (ORDERS - 1) * 1_245 + 1;
    const publishedCents = (ORDERS - 1) * 1_245;
    expect(audit).toMatchObject({
      numbers: ORDERS,
      orders: ORDERS,
      open: 0,
      differing: PLANTED.length,
      sums: { shopOrders: ORDERS - 1, shopCents, publishedOrders: ORDERS - 1, publishedCents },
    });
    expect(audit.kinds.map(({ kind }) => kind)).toEqual(PLANTED.map(([kind]) => kind).toSorted());
    expect(audit.kinds.every(({ differences }) => differences === 1)).toBe(true);
    const { entries } = await call<{ entries: AuditedOrder[] }>(`/${id}/differences?limit=200`);
    const found = entries.map(({ orderNumber, differences }) => [
      Number(orderNumber),
      differences.map(({ kind }) => kind),
    ]);
    expect(found).toEqual([...PLACES].toReversed().map(([number, { kind }]) => [number, [kind]]));
    expect(entries.reduce((sum, { apartCents }) => sum + apartCents, 0)).toBe(shopCents - publishedCents);
    // No order that was stored before the kill is read again, but once more where it differs.
    const again = readAt.length - ORDERS - PLANTED.length;
    expect(ORDERS - open + again).toBeLessThanOrEqual(Math.floor(ORDERS / 2));
    expect(again).toBeLessThanOrEqual(50);
    const most = Math.max(...readAt.map((at, index) => countWithin(at, index)));
    expect(most).toBeLessThanOrEqual(READS_PER_MINUTE);
    const perMinute = Math.round((readAt.length * MINUTE_MS) / tookMs);
    process.stderr.write(
      `${ORDERS} orders in ${Math.round(tookMs / 1_000)} s, ${again} reads again, at most ${most} in a minute, ${perMinute} a minute over all\n`,
    );
  });

  /** Reads in the minute that begins with one. */
  function countWithin(at: number, index: number): number {
    let [low, high] = [index, readAt.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (readAt[middle]! < at + MINUTE_MS) low = middle + 1;
      else high = middle;
    }
    return low - index;
  }
});
