import type { Action } from '../domain/action.ts';
import { cell } from '../domain/cells.ts';
import { EXIT } from '../domain/exit-code.ts';
import { explainFailure, failedReport } from '../domain/explain-failure.ts';
import type { Report } from '../domain/report.ts';
import { listPages } from './list-pages.ts';
import { ask, type Session } from './session.ts';

type Erasure = Extract<Action, { kind: 'order-erase' }>;

/** More than an order ever has. */
const COUNTED = 10_000;

/** Erases what is kept of an order; unless confirmed, only counts it. */
export async function eraseOrder(session: Session, erasure: Erasure): Promise<Report> {
  if (!erasure.confirm) return await countKept(session, erasure);
  const { tenant, orderNumber } = erasure;
  const body = { tenant, orderNumber: Number(orderNumber), confirm: true };
  return await ask(session, { app: 'webhook-ingest', method: 'POST', path: '/api/erasures', body }, (answer) => {
    const { notifications, quarantined, waiting } = answer;
    const counts = { notifications: cell(notifications), quarantined: cell(quarantined), waiting: cell(waiting) };
    const text = session.say('erased', { tenant, order: orderNumber, ...counts });
    return { json: { confirmed: true, ...answer }, blocks: [{ kind: 'line', text }], notes: [], exit: EXIT.done };
  });
}

async function countKept({ api, say }: Session, { tenant, orderNumber }: Erasure): Promise<Report> {
  const query = { tenant, orderNumber };
  const path = '/api/notifications';
  const kept = await listPages(api, { app: 'webhook-ingest', path, query, member: 'entries', limit: COUNTED });
  if (kept.kind !== 'listed') return failedReport(explainFailure(kept, say));
  const count = kept.entries.filter(({ bodyErasedAt }) => bodyErasedAt === null || bodyErasedAt === undefined).length;
  return {
    json: { confirmed: false, tenant, orderNumber, notifications: count },
    blocks: [{ kind: 'line', text: say('eraseDryRun', { tenant, order: orderNumber, count }) }],
    notes: [],
    exit: EXIT.done,
  };
}
