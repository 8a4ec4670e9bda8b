import { done, type Session } from '../command-line/task.ts';
import { explainFailure, failedReport } from '../operations-api/explain-failure.ts';
import type { ApiFailure, Entry } from '../operations-api/operations-api.ts';
import { EXIT, type Report } from '../output/report.ts';
import { cell } from '../output/blocks.ts';
import { eraseOrders } from './erase-orders.ts';

/** Whom an erasure is about. */
export interface Shopper {
  readonly tenant: string;
  readonly email: string;
}

/** The shopper's orders; changes nothing. */
export async function showUser(session: Session, shopper: Shopper): Promise<Report> {
  const { say } = session;
  const found = await ordersOf(session, shopper);
  if (!Array.isArray(found)) return failedReport(explainFailure(found, say));
  const { tenant } = shopper;
  const text = say('eraseUserDryRun', { tenant, count: found.length, orders: found.join(', ') || '-' });
  return done({ confirmed: false, tenant, orderNumbers: found }, text);
}

/** Erases what was notified about the shopper, and each of their orders in every app. */
export async function eraseUser(session: Session, shopper: Shopper): Promise<Report> {
  const { api, say } = session;
  const found = await ordersOf(session, shopper);
  if (!Array.isArray(found)) return failedReport(explainFailure(found, say));
  const body = { ...shopper, confirm: true };
  const users = await api.call({ app: 'webhook-ingest', method: 'POST', path: '/api/erasures/users', body });
  if (users.kind !== 'answer') return failedReport(explainFailure(users, say));
  const report = await eraseOrders(session, shopper.tenant, found);
  const { notifications, quarantined, waiting } = users.body;
  const counts = { notifications: cell(notifications), quarantined: cell(quarantined), waiting: cell(waiting) };
  const line = { kind: 'line', text: say('userErased', { ...counts, count: found.length }) } as const;
  const json = { ...(report.json as Entry), user: users.body };
  const isDone = report.exit === EXIT.done;
  const isWaiting = typeof waiting === 'number' && waiting > 0;
  return {
    ...report,
    json,
    blocks: [line, ...report.blocks],
    exit: isDone && isWaiting ? EXIT.failed : report.exit,
    notes: isWaiting ? [...report.notes, say('userWaits', { waiting: cell(waiting) })] : report.notes,
  };
}

/** An e-mail stands in a body and never in an address, which proxies and servers write down. */
async function ordersOf({ api }: Session, shopper: Shopper): Promise<string[] | ApiFailure> {
  const request = {
    app: 'order-command-handler',
    method: 'POST',
    path: '/api/erasures/orders',
    body: { ...shopper },
  } as const;
  const result = await api.call(request);
  if (result.kind !== 'answer') return result;
  const { orderNumbers } = result.body;
  return Array.isArray(orderNumbers) ? orderNumbers.map(cell) : { ...result, kind: 'not-understood', status: 200 };
}
