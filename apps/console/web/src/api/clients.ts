import createClient, { type Middleware } from 'openapi-fetch';
import { ApiProblem, problemOf } from './api-problem.ts';
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

/** One of the console's own routes. */
export async function consoleCall<Data>(path: string, init: RequestInit = {}): Promise<Data> {
  const response = await reached(fetch(path, init));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw Object.assign(problemOf(response.status, body), { body });
  return body as Data;
}

/** Options of a request of the console's own routes that changes something. */
export function jsonBody(method: 'POST' | 'DELETE', body: object = {}): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function reached<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, 'CONSOLE_AWAY', '');
  }
}
