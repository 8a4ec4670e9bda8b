import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser, startConsole, type TestConsole } from './support/console-app.ts';
import { type FakeApps, startFakeApps } from './support/fake-apps.ts';

let apps: FakeApps;
let app: TestConsole;
const browsers = new Map<string, Browser>();

beforeAll(async () => {
  apps = await startFakeApps();
  app = await startConsole({ apps: apps.urls, env: { APP_TIMEOUT_MS: '500', APP_ANSWER_MAX_BYTES: '2048' } });
  for (const name of ['maria', 'joao', 'noemia', 'chefe', 'auditor']) {
    const browser = new Browser(app.url);
    await browser.signIn(name);
    browsers.set(name, browser);
  }
});

beforeEach(() => {
  apps.received.splice(0);
  apps.answer(() => ({ body: '{"tenant":"acme"}' }));
});

afterAll(async () => {
  await app.stop();
  await apps.stop();
});

const as = (name: string) => browsers.get(name)!;
const calls = () => apps.received.filter(({ url }) => url.startsWith('/api/') && url !== '/api/info');

describe('a passed call', () => {
  it('has the token of the console and the name of the operator, and nothing else of the browser', async () => {
    apps.answer(() => ({ body: '{"entries":[],"next":null}' }));
    const answer = await as('joao').call(
      'GET',
      '/apps/order-command-handler/api/orders?tenant=acme&status=400',
      undefined,
      {
        'x-forwarded-for': '10.0.0.1',
        'x-gondola-operator': 'somebody-else',
        authorization: 'Bearer of-the-browser',
        te: 'trailers',
      },
    );
    expect(answer).toMatchObject({ status: 200, body: { entries: [], next: null } });
    const [{ url, headers } = { url: '', headers: {} }] = calls();
    expect(url).toBe('/api/orders?tenant=acme&status=400');
    expect(headers).toMatchObject({
      authorization: 'Bearer the-operations-token-of-this-test',
      'x-gondola-operator': 'joao',
    });
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept',
      'authorization',
      'connection',
      'host',
      'traceparent',
      'x-gondola-operator',
    ]);
  });

  it('has the bytes of the body, with all digits', async () => {
    const body = '{"records": [{"price": 12.340000000000000000001}]}';
    await as('chefe').call('POST', '/apps/catalog-publisher/api/preflight?tenant=acme', body);
    expect(calls().map((call) => call.body)).toEqual([body]);
  });

  it('has the bytes of a file, longer than any JSON, with their type and length', async () => {
    const picture = `\x89PNG${'x'.repeat(2_000_000)}`;
    const path = '/apps/file-gateway/api/uploads?tenant=acme';
    const { status } = await as('maria').call('POST', path, picture, { 'content-type': 'image/png' });
    const [{ body, headers } = { body: '', headers: {} }] = calls();
    expect({ status, isWhole: body === picture }).toEqual({ status: 200, isWhole: true });
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '2000005' });
    for (const type of ['application/json', 'text/html', 'multipart/form-data']) {
      expect((await as('maria').call('POST', path, '{}', { 'content-type': type })).status).toBe(415);
    }
    const json = '/apps/order-command-handler/api/orders/1/refresh';
    expect((await as('maria').call('POST', json, picture, { 'content-type': 'image/png' })).status).toBe(415);
    expect(calls()).toHaveLength(1);
  });

  it('names an item by its encoded id', async () => {
    const id = encodeURIComponent('group/erp.catalog.products.v1/0/7');
    await as('maria').call('POST', `/apps/catalog-publisher/api/dead-letters/${id}/redrive`);
    expect(calls().map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /api/dead-letters/${id}`,
      `POST /api/dead-letters/${id}/redrive`,
    ]);
  });

  it.each([
    '/apps/order-command-handler/api/openapi.json',
    '/apps/order-command-handler/metrics',
    '/apps/order-command-handler/api/orders/',
    '/apps/order-command-handler/api/orders/%2e%2e',
    '/apps/platform-sandbox/api/info',
    '/apps/file-gateway/uploads/1',
  ])('is none at a path that the table does not name: %s', async (path) => {
    expect(await as('chefe').call('GET', path)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect(calls()).toEqual([]);
  });
});

describe('the answer of an app', () => {
  const orders = '/apps/order-command-handler/api/orders?tenant=acme';
  const away = {
    status: 502,
    body: { error: { code: 'APP_AWAY', message: expect.stringContaining('order-command-handler') } },
  };

  it('comes without cookies and headers of the app', async () => {
    apps.answer(() => ({
      headers: {
        'set-cookie': ['gondola=stolen'],
        'x-secret': 'token',
        'access-control-allow-origin': '*',
        'retry-after': '7',
      },
    }));
    const { headers } = await as('maria').call('GET', orders);
    expect(headers.getSetCookie()).toEqual([]);
    expect([headers.get('x-secret'), headers.get('access-control-allow-origin')]).toEqual([null, null]);
    expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['7', 'no-store']);
  });

  it('is never a page, whatever its content type says', async () => {
    apps.answer(() => ({ headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' }));
    const { headers } = await as('maria').call('GET', orders);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  it.each([
    ['never ends', { hangs: true, body: '[' }],
    ['is too large', { body: JSON.stringify('x'.repeat(3_000)) }],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:9/api/orders' } }],
    ['refuses the token of the console', { status: 401 }],
  ] as const)('that %s is a 502 in both languages', async (_what, answer) => {
    apps.answer(() => answer);
    expect(await as('maria').call('GET', orders)).toMatchObject(away);
  });

  it('that is a refusal of the call stays as it is', async () => {
    apps.answer(() => ({ status: 409, body: '{"error":{"code":"CONFLICT","message":"no"}}' }));
    expect(await as('maria').call('GET', orders)).toMatchObject({ status: 409, body: { error: { message: 'no' } } });
  });

  it('that does not come at all is a 502', async () => {
    const gone = await startConsole({ apps: { 'order-command-handler': 'http://127.0.0.1:9' } });
    try {
      const browser = new Browser(gone.url);
      await browser.signIn('maria');
      expect(await browser.call('GET', orders)).toMatchObject(away);
      const { body } = await browser.call('GET', '/overview');
      expect(body).toMatchObject({
        apps: expect.arrayContaining([expect.objectContaining({ app: 'order-command-handler', state: 'away' })]),
      });
    } finally {
      await gone.stop();
    }
  });
});

describe('answers that are long together', () => {
  let roomy: TestConsole;

  beforeAll(async () => {
    const env = { APP_TIMEOUT_MS: '2000', APP_ANSWER_MAX_BYTES: '1000000' };
    roomy = await startConsole({ apps: apps.urls, env });
  });

  afterAll(() => roomy.stop());

  it('are refused beyond what the console holds, which is free again once they have ended', async () => {
    const browser = new Browser(roomy.url);
    await browser.signIn('maria');
    const body = `{"entries":[],"next":null}${' '.repeat(900_000)}`;
    const answered = async () => browser.call('GET', '/apps/order-command-handler/api/orders?tenant=acme');
    apps.answer(() => ({ body, hangs: true }));
    const answers = await Promise.all(Array.from({ length: 5 }, answered));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['502', '502', '502', '502', '503']);
    expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('5');
    apps.answer(() => ({ body }));
    for (const _ of Array.from({ length: 6 })) expect((await answered()).status).toBe(200);
  });
});

describe('the rights of an operator', () => {
  it('cover the shop that the query names', async () => {
    const path = '/apps/order-command-handler/api/orders';
    expect((await as('joao').call('GET', `${path}?tenant=acme`)).status).toBe(200);
    expect((await as('joao').call('GET', `${path}?tenant=norte`)).status).toBe(403);
    expect((await as('joao').call('GET', `${path}?tenant=acme&tenant=norte`)).status).toBe(400);
    expect((await as('joao').call('GET', path)).status).toBe(403);
    expect((await as('auditor').call('GET', path)).status).toBe(200);
    expect(calls()).toHaveLength(2);
  });

  it('cover the shop that the body names', async () => {
    const path = '/apps/order-command-handler/api/orders/100001/refresh';
    const statuses = async (name: string, body: object) => (await as(name).call('POST', path, body)).status;
    expect(await statuses('maria', { tenant: 'acme' })).toBe(200);
    expect(await statuses('maria', { tenant: 'norte' })).toBe(403);
    expect(await statuses('maria', {})).toBe(403);
    expect(await statuses('maria', { tenant: ['acme'] })).toBe(400);
    expect(await statuses('joao', { tenant: 'acme' })).toBe(403);
    expect(await statuses('chefe', {})).toBe(200);
    expect(calls()).toHaveLength(2);
  });

  it('cover many rows of no shop, which an empty name means, only if they cover every shop', async () => {
    const body = JSON.stringify({ action: 'redrive', tenant: '' });
    for (const path of ['/apps/catalog-publisher/api/jobs/preview', '/apps/catalog-publisher/api/jobs']) {
      expect((await as('maria').call('POST', path, body)).status).toBe(403);
      expect((await as('chefe').call('POST', path, body)).status).toBe(200);
    }
    expect(calls().map((call) => call.body)).toEqual([body, body]);
  });

  it('cover the shop of an item, which is read before anything is done with it', async () => {
    apps.answer(() => ({ body: '{"tenant":"norte"}' }));
    const path = '/apps/webhook-ingest/api/quarantine/7';
    expect((await as('maria').call('GET', path)).status).toBe(404);
    expect((await as('maria').call('POST', `${path}/discard`, { note: 'x' })).status).toBe(404);
    expect((await as('auditor').call('POST', `${path}/discard`, { note: 'x' })).status).toBe(403);
    expect(calls().filter(({ method }) => method === 'POST')).toEqual([]);
    expect((await as('noemia').call('POST', `${path}/discard`, { note: 'x' })).status).toBe(200);
  });

  it('cover an item of no shop only if they cover every shop', async () => {
    apps.answer(() => ({ body: '{"tenant":null}' }));
    const path = '/apps/catalog-publisher/api/dead-letters/7';
    expect((await as('maria').call('GET', path)).status).toBe(404);
    expect((await as('auditor').call('GET', path)).status).toBe(200);
  });

  it('to see show no personal data, and no app reveals any for them', async () => {
    expect((await as('joao').call('GET', '/apps/order-command-handler/api/orders/1?tenant=acme')).status).toBe(200);
    for (const path of [
      'orders/1?tenant=acme&reveal=true',
      'orders/1/details?tenant=acme',
      'dead-letters/7?body=true',
    ]) {
      expect((await as('joao').call('GET', `/apps/order-command-handler/api/${path}`)).status).toBe(403);
    }
    expect(calls().filter(({ url }) => /reveal|details|body/.test(url))).toEqual([]);
  });
});

describe('a call that changes something', () => {
  const path = '/apps/order-command-handler/api/orders/100001/release';

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: '' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': '' }, 415],
  ])('is refused with %j', async (headers, status) => {
    const answer = await as('chefe').call('POST', path, '{"tenant":"acme"}', headers);
    expect(answer.status).toBe(status);
    expect(calls()).toEqual([]);
  });

  it('is stored before it is done, and completed with its outcome', async () => {
    const stored: unknown[] = [];
    apps.answer(({ method }) => {
      if (method === 'POST') stored.push(method);
      return { status: 202, body: '{"commandId":"c"}' };
    });
    await as('maria').call('POST', path, { tenant: 'acme' });
    apps.answer(() => ({ status: 404, body: '{}' }));
    await as('maria').call('POST', path, { tenant: 'acme' });
    apps.answer(() => ({ hangs: true }));
    await as('maria').call('POST', path, { tenant: 'acme' });
    const { body } = await as('joao').call('GET', '/actions?tenant=acme&subject=100001&limit=3');
    const common = { operator: 'maria', tenant: 'acme', action: 'release-order', subject: '100001' };
    expect(body).toMatchObject({
      items: [
        { ...common, outcome: 'failed', status: null },
        { ...common, outcome: 'refused', status: 404 },
        { ...common, outcome: 'done', status: 202 },
      ],
    });
    expect(stored).toEqual(['POST']);
  });

  it('is not done if it cannot be stored', async () => {
    await app.database.query('ALTER TABLE actions RENAME TO actions_away');
    try {
      expect((await as('maria').call('POST', path, { tenant: 'acme' })).status).toBe(500);
    } finally {
      await app.database.query('ALTER TABLE actions_away RENAME TO actions');
    }
    expect(calls()).toEqual([]);
  });
});

describe('GET /actions', () => {
  it('shows the actions of the shops that the operator may see, page by page', async () => {
    const path = '/apps/order-command-handler/api/orders/555/refresh';
    for (const [name, tenant] of [
      ['maria', 'acme'],
      ['noemia', 'norte'],
      ['maria', 'acme'],
    ] as const) {
      await as(name).call('POST', path, { tenant });
    }
    const first = await as('joao').call('GET', '/actions?subject=555&limit=1');
    const { items, next } = first.body as { items: { tenant: string }[]; next: string };
    const second = await as('joao').call('GET', `/actions?subject=555&limit=1&after=${next}`);
    expect(items).toHaveLength(1);
    expect(second.body).toMatchObject({ items: [{ tenant: 'acme' }], next: null });
    expect((await as('auditor').call('GET', '/actions?subject=555')).body).toMatchObject({
      items: [{ tenant: 'acme' }, { tenant: 'norte' }, { tenant: 'acme' }],
    });
    expect((await as('joao').call('GET', '/actions?tenant=norte')).status).toBe(403);
    expect((await as('joao').call('GET', '/actions?limit=0')).status).toBe(400);
    expect((await new Browser(app.url).call('GET', '/actions')).status).toBe(401);
  });
});
