import { answerOf, catalog, files, orders, webhooks } from '../api/clients.ts';
import type { AppName } from '../api/overview.ts';

/** Outcome of an erasure, in all apps together. */
export interface Erased {
  readonly done: readonly AppName[];
  readonly failed: readonly AppName[];
  /** Until when Kafka has the last copy; null if no copy has an end. */
  readonly copiesUntil: string | null;
  /** Topics that never delete. */
  readonly forEver: readonly string[];
}

interface Remains {
  readonly topics: ReadonlyArray<{ readonly topic: string; readonly until: string | null }> | null;
}

/** The app that knows the orders of a shopper comes last, so that an interrupted erasure can be repeated. */
const APPS = ['webhook-ingest', 'file-gateway', 'catalog-publisher', 'order-command-handler'] as const;

/** Erases orders in every app, even if one of the apps does not answer. */
export async function eraseOrders(tenant: string, orderNumbers: readonly string[]): Promise<Erased> {
  const answers: Array<readonly [AppName, Remains | null]> = [];
  for (const orderNumber of orderNumbers) {
    for (const app of APPS) answers.push([app, await eraseAt(app, { tenant, orderNumber }).catch(() => null)]);
  }
  return erasedOf(answers);
}

/** Erases a shopper: what was received about them, and each of their orders in every app. */
export async function eraseShopper(tenant: string, email: string, orderNumbers: readonly string[]): Promise<Erased> {
  const body = { tenant, email, confirm: true as const };
  const user = await answerOf(webhooks.POST('/api/erasures/users', { body })).then(
    () => ({ topics: null }),
    () => null,
  );
  const ofOrders = await eraseOrders(tenant, orderNumbers);
  const ofUser = erasedOf([['webhook-ingest', user]]);
  const failed = [...new Set([...ofUser.failed, ...ofOrders.failed])];
  const { copiesUntil } = ofOrders;
  return {
    done: [...new Set([...ofUser.done, ...ofOrders.done])].filter((app) => !failed.includes(app)),
    failed,
    copiesUntil,
    forEver: ofOrders.forEver,
  };
}

async function eraseAt(app: AppName, order: { tenant: string; orderNumber: string }): Promise<Remains> {
  const options = { body: { ...order, confirm: true as const } };
  if (app === 'webhook-ingest') return answerOf(webhooks.POST('/api/erasures', options));
  if (app === 'file-gateway') return answerOf(files.POST('/api/erasures', options));
  if (app === 'catalog-publisher') return answerOf(catalog.POST('/api/erasures', options));
  return answerOf(orders.POST('/api/erasures', options));
}

function erasedOf(answers: ReadonlyArray<readonly [AppName, Remains | null]>): Erased {
  const failed = new Set(answers.flatMap(([app, answer]) => (answer === null ? [app] : [])));
  const topics = answers.flatMap(([, answer]) => answer?.topics ?? []);
  const until = topics.flatMap((topic) => topic.until ?? []).toSorted((one, other) => (one < other ? -1 : 1));
  return {
    done: [...new Set(answers.map(([app]) => app))].filter((app) => !failed.has(app)),
    failed: [...failed],
    copiesUntil: until.at(-1) ?? null,
    forEver: [...new Set(topics.filter((topic) => topic.until === null).map(({ topic }) => topic))],
  };
}
