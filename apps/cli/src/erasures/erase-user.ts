import { done, type Session } from '../command-line/task.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import type { ApiFailure, Entry } from '../operations-api/operations-api.ts';
import type { Report } from '../output/report.ts';
import { cell } from '../output/blocks.ts';
import { eraseOrders } from './erase-orders.ts';

/** Shopper of an erasure. */
export interface Shopper {
  readonly tenant: string;
  readonly email: string;
}

/** Shows the shopper's orders; changes nothing. */
export async function showUser(session: Session, shopper: Shopper): Promise<Report> {
  const { say } = session;
  const found = await ordersOf(session, shopper);
  if (!Array.isArray(found)) return failedReport(explainFailure(found, say));
  const { tenant } = shopper;
  const text = say('eraseUserDryRun', { tenant, count: found.length, orders: found.join(', ') || '-' });
  return done({ confirmed: false, tenant, orderNumbers: found }, text);
}

/** Erases the notifications about the shopper, and each of their orders in every app, even if one app does not. */
export async function eraseUser(session: Session, shopper: Shopper): Promise<Report> {
  const { api, say } = session;
  const found = await ordersOf(session, shopper);
  if (!Array.isArray(found)) return failedReport(explainFailure(found, say));
  const body = { ...shopper, confirm: true };
  const users = await api.call({ app: 'webhook-ingest', method: 'POST', path: '/api/erasures/users', body });
  const report = await eraseOrders(session, shopper.tenant, found);
  if (users.kind !== 'answer') {
    const { message, exit } = explainFailure(users, say);
    const notes = [message, say('erasedPartly', { apps: 'webhook-ingest' }), ...report.notes];
    return { ...report, json: { ...(report.json as Entry), user: null }, notes, exit };
  }
  const { notifications, quarantined } = users.body;
  const counts = { notifications: cell(notifications), quarantined: cell(quarantined) };
  const line = { kind: 'line', text: say('userErased', { ...counts, count: found.length }) } as const;
  const json = { ...(report.json as Entry), user: users.body };
  return { ...report, json, blocks: [line, ...report.blocks] };
}

/** Reads the shopper's orders. The e-mail is sent in the body, never in the URL, which proxies and servers log. */
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
