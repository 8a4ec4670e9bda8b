import type { Session } from '../command-line/command.ts';
import type { AppName } from '../operations-api/addresses.ts';
import { explainFailure, failureReport } from '../output/explain-failure.ts';
import { readList } from '../operations-api/read-list.ts';
import {
  type ApiFailure,
  entriesOf,
  type Entry,
  isEntry,
  type OperationsApi,
} from '../operations-api/operations-api.ts';
import { type AppOf, requestTo } from '../operations-api/requests.ts';
import { cell, tableOf } from '../output/blocks.ts';
import { type Block, done, EXIT, line, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/**
 * Apps that store content about orders, in the order of the calls: the app that knows the orders of a shopper comes
 * last, so that an interrupted run can be repeated.
 */
const ERASING_APPS = [
  'webhook-ingest',
  'file-gateway',
  'catalog-publisher',
  'order-command-handler',
] as const satisfies AppOf<'erase order'>[];

/** More notifications than any order has. */
const COUNTED = 10_000;

/** Answer of one app. */
interface AppErasure {
  readonly app: AppName;
  readonly orderNumber: string;
  readonly answer: Entry | ApiFailure;
}

/** Counts the notifications of an order whose content is stored. */
export async function countNotifications(api: OperationsApi, tenant: string, orderNumber: string) {
  const stored = await readList(api, 'notifications list', { tenant, orderNumber }, COUNTED);
  if (stored.kind !== 'listed') return stored;
  return stored.entries.filter(({ bodyErasedAt = null }) => bodyErasedAt === null).length;
}

/** Counts the stored content of an order where an app can count it; changes nothing. */
export async function showOrder({ api, say }: Session, tenant: string, orderNumber: string): Promise<Report> {
  const notifications = await countNotifications(api, tenant, orderNumber);
  if (typeof notifications !== 'number') return failureReport(notifications, say);
  const order = await api.call(requestTo('orders show', { number: orderNumber, tenant }));
  const isUnknown = order.kind === 'refused' && order.status === 404;
  if (order.kind !== 'answer' && !isUnknown) return failureReport(order, say);
  const facts = order.kind === 'answer' && Array.isArray(order.body['facts']) ? order.body['facts'].length : 0;
  const json = { confirmed: false, tenant, orderNumber, notifications, facts, apps: ERASING_APPS };
  const apps = ERASING_APPS.join(', ');
  return done(json, say('eraseOrderDryRun', { tenant, order: orderNumber, notifications, facts, apps }));
}

/** Erases orders in every app, even if one of the apps does not answer. */
export async function eraseOrders(session: Session, tenant: string, orderNumbers: readonly string[]): Promise<Report> {
  const { say } = session;
  const asked: AppErasure[] = [];
  for (const orderNumber of orderNumbers) asked.push(...(await eraseOrder(session, tenant, orderNumber)));
  const erasures = asked.flatMap(({ app, orderNumber, answer }) =>
    isFailure(answer) ? [] : [{ ...answer, app, orderNumber }],
  );
  const failed = asked.flatMap(({ app, orderNumber, answer }) =>
    isFailure(answer) ? [{ app, orderNumber, ...explainFailure(answer, say) }] : [],
  );
  const notes = failed.map(({ message }) => message);
  if (failed.length > 0)
    notes.push(say('erasedPartly', { apps: [...new Set(failed.map(({ app }) => app))].join(', ') }));
  return {
    json: {
      confirmed: true,
      tenant,
      orderNumbers,
      erasures,
      failed: failed.map(({ app, orderNumber, code, message }) => ({ app, orderNumber, code, message })),
    },
    blocks: erasures.length === 0 ? [] : [erasedTable(erasures, say), ...topicBlocks(erasures, say)],
    notes,
    exit: failed[0]?.exit ?? EXIT.done,
  };
}

async function eraseOrder({ api }: Session, tenant: string, orderNumber: string): Promise<AppErasure[]> {
  const asked: AppErasure[] = [];
  for (const app of ERASING_APPS) {
    const given = { app, tenant, orderNumber: Number(orderNumber), confirm: true };
    const result = await api.call(requestTo('erase order', given));
    asked.push({ app, orderNumber, answer: result.kind === 'answer' ? result.body : result });
  }
  return asked;
}

function isFailure(answer: Entry | ApiFailure): answer is ApiFailure {
  return 'request' in answer;
}

function erasedTable(erasures: readonly Entry[], say: Say): Block {
  const rows = erasures.map((erasure) => ({ ...erasure, erased: erasedText(erasure), stays: staysText(erasure) }));
  const columns = {
    orderNumber: 'colOrder',
    app: 'colApp',
    erased: { pt: 'APAGADO', en: 'ERASED' },
    stays: { pt: 'PERMANECE', en: 'STAYS' },
  } as const;
  return tableOf(say, columns, rows, 'stays');
}

/** Counts by kind; webhook-ingest answers them as separate fields. */
function erasedText({ erased, notifications, quarantined }: Entry): string {
  const counts = isEntry(erased) ? erased : { notifications, quarantined };
  return Object.entries(counts)
    .map(([what, count]) => `${what}=${cell(count)}`)
    .join(' ');
}

function staysText({ stays, waiting }: Entry): string {
  if (typeof waiting === 'number' && waiting > 0) return `waiting=${waiting}`;
  return entriesOf(stays)
    .map(({ what, count, why }) => `${cell(what)}=${cell(count)} (${cell(why)})`)
    .join(', ');
}

/** Each topic with copies, once, with the latest date. */
function topicBlocks(erasures: readonly Entry[], say: Say): Block[] {
  const latest = new Map<string, string | null>();
  for (const { topics } of erasures) {
    for (const { topic, until } of entriesOf(topics)) {
      const [name, date] = [cell(topic), typeof until === 'string' ? until : null];
      const known = latest.get(name);
      latest.set(
        name,
        known === undefined || (known !== null && date !== null && date > known) ? date : (known ?? date),
      );
    }
  }
  if (latest.size === 0) return [];
  const rows = [...latest].map(([topic, until]) => ({ topic, until: until ?? say({ pt: 'nunca', en: 'never' }) }));
  return [line(''), line(say('topicsTitle')), tableOf(say, { topic: 'colTopic', until: 'colUntil' }, rows)];
}
