import { problemOf } from '@gondola/web-kit/api/api-problem';
import { reached } from '@gondola/web-kit/api/call';
import createClient, { type Middleware } from 'openapi-fetch';
import type { paths as CatalogPaths } from './catalog-publisher.d.ts';
import type { paths as FilePaths } from './file-gateway.d.ts';
import type { paths as OrderPaths } from './order-command-handler.d.ts';
import type { paths as WebhookPaths } from './webhook-ingest.d.ts';

/** The four operations APIs, as the console's server passes calls on to them. */
export const webhooks = createClient<WebhookPaths>({ baseUrl: '/apps/webhook-ingest' });
export const orders = createClient<OrderPaths>({ baseUrl: '/apps/order-command-handler' });
export const catalog = createClient<CatalogPaths>({ baseUrl: '/apps/catalog-publisher' });
export const files = createClient<FilePaths>({ baseUrl: '/apps/file-gateway' });

/** The console takes nothing but JSON with a call that changes something, also where the app needs no body. */
const withBody: Middleware = {
  onRequest: ({ request }) => {
    if (request.method === 'GET' || request.headers.has('content-type')) return undefined;
    return new Request(request, {
      method: request.method,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
  },
};
for (const client of [webhooks, orders, catalog, files]) client.use(withBody);

const CLIENTS = {
  'webhook-ingest': webhooks,
  'order-command-handler': orders,
  'catalog-publisher': catalog,
  'file-gateway': files,
};

/** The API of an app, for the routes that several share: they are the same in each, so one's types stand for all. */
export function clientOf(app: keyof typeof CLIENTS): typeof orders {
  return CLIENTS[app] as typeof orders;
}

interface Called<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer of a call; throws an `ApiProblem` for every other end. */
export async function answerOf<Data>(call: Promise<Called<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await reached(call);
  if (!response.ok || data === undefined || data === null) throw problemOf(response.status, error);
  return data;
}
