import { command, group, type Session } from '../command-line/command.ts';
import { CONFIRM, NUMBER, ONE_TENANT, required } from '../command-line/inputs.ts';
import { emailOf, WrongUsage } from '../command-line/option-values.ts';
import type { ApiFailure, Entry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { cell } from '../output/blocks.ts';
import { explainFailure, failureReport } from '../output/explain-failure.ts';
import { done, line, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { eraseOrders, showOrder } from './erase-orders.ts';

/** Erasures in every app that stores content; each app records its own erasures. */
export const ERASE = group('erase', {
  order: command({
    inputs: { number: NUMBER, tenant: ONE_TENANT, confirm: CONFIRM },
    task: ({ number, tenant, confirm }, refusing) => {
      refuseOneAddress(refusing);
      return (session) => (confirm ? eraseOrders(session, tenant, [number]) : showOrder(session, tenant, number));
    },
    examples: ['100234 --tenant acme', '100234 --tenant acme --confirm'],
  }),
  user: command({
    inputs: {
      tenant: ONE_TENANT,
      email: required('--email <address>', { pt: 'e-mail do cliente', en: 'e-mail of the shopper' }, emailOf),
      confirm: CONFIRM,
    },
    task: ({ confirm, ...shopper }, refusing) => {
      refuseOneAddress(refusing);
      return (session) => (confirm ? eraseUser(session, shopper) : showUser(session, shopper));
    },
    examples: [
      '--tenant acme --email cliente.teste01@example.com',
      '--tenant acme --email cliente.teste01@example.com --confirm',
    ],
  }),
});

/** Refuses `--api-url`, which is the address of one app only. */
function refuseOneAddress({ apiUrl, say }: { readonly apiUrl: string | undefined; readonly say: Say }): void {
  if (apiUrl !== undefined) throw new WrongUsage(say('apiUrlOfSeveral'));
}

/** Shopper of an erasure. */
interface Shopper {
  readonly tenant: string;
  readonly email: string;
}

/** Shows the shopper's orders; changes nothing. */
async function showUser(session: Session, shopper: Shopper): Promise<Report> {
  const { say } = session;
  const found = await ordersOf(session, shopper);
  if (!Array.isArray(found)) return failureReport(found, say);
  const { tenant } = shopper;
  const text = say('eraseUserDryRun', { tenant, count: found.length, orders: found.join(', ') || '-' });
  return done({ confirmed: false, tenant, orderNumbers: found }, text);
}

/** Erases the notifications about the shopper, and each of their orders in every app, even if one app does not. */
async function eraseUser(session: Session, shopper: Shopper): Promise<Report> {
  const { api, say } = session;
  const found = await ordersOf(session, shopper);
  if (!Array.isArray(found)) return failureReport(found, say);
  const users = await api.call(requestTo('erase user', { ...shopper, confirm: true }));
  const report = await eraseOrders(session, shopper.tenant, found);
  if (users.kind !== 'answer') {
    const { message, exit } = explainFailure(users, say);
    const notes = [message, say('erasedPartly', { apps: 'webhook-ingest' }), ...report.notes];
    return { ...report, json: { ...(report.json as Entry), user: null }, notes, exit };
  }
  const { notifications, quarantined } = users.body;
  const counts = { notifications: cell(notifications), quarantined: cell(quarantined) };
  const sentence = say('userErased', { ...counts, count: found.length });
  const json = { ...(report.json as Entry), user: users.body };
  return { ...report, json, blocks: [line(sentence), ...report.blocks] };
}

/** Reads the shopper's orders. The e-mail is sent in the body, never in the URL, which proxies and servers log. */
async function ordersOf({ api }: Session, shopper: Shopper): Promise<string[] | ApiFailure> {
  const result = await api.call(requestTo('erase user/orders', { ...shopper }));
  if (result.kind !== 'answer') return result;
  const { orderNumbers } = result.body;
  return Array.isArray(orderNumbers) ? orderNumbers.map(cell) : { ...result, kind: 'not-understood', status: 200 };
}
