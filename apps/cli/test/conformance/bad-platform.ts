import { type ReceivedRequest, TestServer } from '@gondola/local-stack/testing/test-server';

type Json = Record<string, unknown>;

/** Changes a call before the sandbox gets it, or its answer; undefined: as it is. */
interface Fault {
  /** Statements that it breaks. */
  readonly breaks: readonly string[];
  readonly route: RegExp;
  readonly call?: (request: ReceivedRequest, headers: Record<string, string>) => { readonly body?: string };
  readonly answer?: (status: number, text: string) => { readonly status: number; readonly text: string };
}

const PRODUCTS = /^POST \/v1\/batch\/Products/;
const PRODUCT = /^GET \/v1\/batch\/Products\//;

export const PASSWORD = 'secret-of-the-shop';
const LOGIN = `Basic ${Buffer.from(`erp:${PASSWORD}`).toString('base64')}`;

export const PLATFORM_FAULTS: readonly Fault[] = [
  {
    breaks: ['Authentication: `Authorization` with scheme Basic on each call of the integration API'],
    route: PRODUCT,
    call: ({ headers: given }, headers) => {
      if (given.authorization === undefined) headers['authorization'] = LOGIN;
      return {};
    },
  },
  {
    breaks: [
      'Catalog: … which is a GUID',
      'What the service does: the outcome comes only as a notification with that id',
    ],
    route: PRODUCTS,
    answer: (status, text) => ({ status, text: text.startsWith('"') ? ` { "operationId": ${text} }` : text }),
  },
  {
    breaks: ['Product: `title` has at most 400 characters'],
    route: PRODUCTS,
    call: ({ body }) => ({
      body: body.toString().replaceAll(`"title":"${'x'.repeat(401)}"`, `"title":"${'x'.repeat(400)}"`),
    }),
  },
  {
    breaks: [
      'SKU: `weightReal` is required, a number above 0',
      'Catalog report: `skus.successful` counts those that entered',
    ],
    route: PRODUCTS,
    call: ({ body }) => ({ body: body.toString().replaceAll('"weightReal":0,', '"weightReal":1,') }),
  },
  {
    breaks: ['Product read model: `fiscalCode` as sent'],
    route: PRODUCT,
    answer: (status, text) => ({ status, text: changed(text, (json) => delete json['fiscalCode']) }),
  },
  {
    breaks: ['Product read model: `createdAt` is local time without a zone'],
    route: PRODUCT,
    answer: (status, text) => ({ status, text: text.replace(/("createdAt": ?"[^"]+)"/, '$1Z"') }),
  },
  {
    breaks: ['Synchronous responses: PUT invoiced: 500 for an order that does not exist'],
    route: /^PUT \/v1\/Orders\/invoiced/,
    answer: (status, text) => ({ status: status === 500 ? 404 : status, text }),
  },
  {
    breaks: ['Synchronous responses: webhooks: 409 for a second one'],
    route: /^POST \/v1\/Webhooks/,
    answer: (status, text) => (status === 409 ? { status: 200, text: '{"id":"1","url":"x"}' } : { status, text }),
  },
  {
    breaks: ['What the service does: null is not the same as an absent key'],
    route: PRODUCTS,
    call: ({ body }) => ({ body: body.toString().replaceAll('"similarTerms":null,', '') }),
  },
];

function changed(text: string, change: (json: Json) => unknown): string {
  const json = JSON.parse(text) as Json;
  change(json);
  return JSON.stringify(json);
}

/** A platform with faults: a proxy in front of the sandbox. */
export async function startBadPlatform(sandboxUrl: string, faults: readonly Fault[]): Promise<TestServer> {
  return TestServer.start(async (request, response) => {
    const { method, path, body: bytes } = request;
    const own = faults.filter(({ route }) => route.test(`${method} ${path}`));
    const headers: Record<string, string> = {};
    for (const name of ['authorization', 'x-contractaccountid', 'content-type', 'x-api-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    let body = bytes;
    for (const { call } of own) body = Buffer.from(call?.({ ...request, body }, headers).body ?? body);
    const answer = await fetch(sandboxUrl + path, { method, headers, ...(body.length > 0 && { body }) });
    let seen = { status: answer.status, text: await answer.text() };
    for (const { answer: change } of own) seen = change?.(seen.status, seen.text) ?? seen;
    response.writeHead(seen.status, { 'content-type': 'application/json' }).end(seen.text);
  });
}
