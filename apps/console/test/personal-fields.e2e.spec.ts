import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ANSWER_SHAPES } from '../src/passing/answer-shapes.ts';
import type { AnswerShape } from '../src/passing/mask-answer.ts';
import { PASSED_ROUTES, type PassedRoute } from '../src/passing/passed-routes.ts';
import { Browser, startConsole, type TestConsole } from './support/console-app.ts';
import { type FakeApps, startFakeApps } from './support/fake-apps.ts';

/** Value of every personal field, and of one that is not declared. */
const CANARY = 'Canário da Silva';

let apps: FakeApps;
let app: TestConsole;
const browsers = new Map<string, Browser>();

beforeAll(async () => {
  apps = await startFakeApps();
  app = await startConsole({ apps: apps.urls });
  for (const name of ['maria', 'joao', 'chefe', 'auditor']) {
    const browser = new Browser(app.url);
    await browser.signIn(name);
    browsers.set(name, browser);
  }
});

beforeEach(() => {
  apps.received.splice(0);
});

afterAll(async () => {
  await app.stop();
  await apps.stop();
});

const as = (name: string) => browsers.get(name)!;
const nameOf = ({ app: of, method, path }: PassedRoute) => `${of} ${method} ${path}`;

/** An answer with every field of a shape, and with one more where it has no map, of which every name is declared. */
function fullAnswer(shape: AnswerShape): unknown {
  if (typeof shape === 'boolean') return shape ? 1 : CANARY;
  if (isList(shape)) return [fullAnswer(shape[0])];
  const fields = Object.entries(shape).map(([name, field]) => [name, fullAnswer(field)]);
  return { ...('*' in shape ? {} : { notDeclared: CANARY }), ...(Object.fromEntries(fields) as object) };
}

function isList(shape: AnswerShape): shape is readonly [AnswerShape] {
  return Array.isArray(shape);
}

function shapeOf(route: PassedRoute): AnswerShape {
  return ANSWER_SHAPES[nameOf(route)] ?? false;
}

function isPersonal(shape: AnswerShape): boolean {
  return JSON.stringify(shape).includes('false');
}

async function answerTo(name: string, route: PassedRoute, query: string) {
  const full = fullAnswer(shapeOf(route));
  const answer = Array.isArray(full) ? full : { ...(full as object), tenant: 'acme' };
  apps.answer(() => ({ body: JSON.stringify(answer) }));
  const path = `/apps/${route.app}${route.path.replaceAll(/\{\w+\}/g, '7')}?${query}`;
  const body = route.method === 'GET' ? undefined : { tenant: 'acme' };
  const type: Record<string, string> = route.takes === 'file' ? { 'content-type': 'image/png' } : {};
  const { status, body: got } = await as(name).call(route.method, path, body, type);
  return { status, text: JSON.stringify(got) };
}

async function reveals(): Promise<number> {
  const text = await (
    await fetch(`${app.url}/metrics`, { headers: { authorization: 'Bearer the-operations-token-of-this-test' } })
  ).text();
  const values = [...text.matchAll(/^gondola_console_reveals_total\{.*\} (\d+)$/gm)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function recorded(name: string): Promise<string[]> {
  const { body } = await as(name).call('GET', '/actions?limit=200');
  return (body as { items: ReadonlyArray<{ action: string; outcome: string }> }).items.map(
    ({ action, outcome }) => `${action} ${outcome}`,
  );
}

describe('no answer of any route has a personal field', () => {
  it('for an operator who may only see', async () => {
    const shown: string[] = [];
    for (const route of PASSED_ROUTES) {
      const { text } = await answerTo('auditor', route, 'tenant=acme');
      if (text.includes(CANARY)) shown.push(nameOf(route));
    }
    expect(shown).toEqual([]);
  });

  it('for one who may act, without a reveal', async () => {
    const before = await reveals();
    const shown: string[] = [];
    for (const route of PASSED_ROUTES.filter((each) => each.reveals !== 'always')) {
      const { status, text } = await answerTo('chefe', route, 'tenant=acme');
      if (status !== 200 || text.includes(CANARY)) shown.push(nameOf(route));
    }
    expect(shown).toEqual([]);
    expect(await reveals()).toBe(before);
  });

  it('in an error', async () => {
    const refused = { error: { code: 'CONFLICT', message: 'no', detail: CANARY }, data: CANARY };
    apps.answer(() => ({ status: 409, body: JSON.stringify(refused) }));
    for (const path of ['orders/7?tenant=acme&reveal=true', 'orders/7/details?tenant=acme', 'orders/7?tenant=acme']) {
      const answer = await as('maria').call('GET', `/apps/order-command-handler/api/${path}`);
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', message: 'no' } } });
      expect(JSON.stringify(answer.body)).not.toContain(CANARY);
    }
  });
});

describe('a route whose answer has personal fields', () => {
  const personal = PASSED_ROUTES.filter((route) => route.method === 'GET' && isPersonal(shapeOf(route)));
  const revealing = personal.filter((route) => route.reveals !== undefined);

  it('reveals them, or lists items of which each one is revealed', () => {
    const known = new Set(revealing.map(nameOf));
    const hidden = personal.filter((route) => !known.has(nameOf(route)) && !known.has(`${nameOf(route)}/{id}`));
    expect(hidden.map(nameOf)).toEqual([]);
    expect(PASSED_ROUTES.filter(({ reveals: by }) => by !== undefined).map(nameOf)).toEqual(revealing.map(nameOf));
  });

  it.each(revealing.map((route) => [nameOf(route), route] as const))(
    'shows them to who may act and asks, recorded and counted: %s',
    async (_name, route) => {
      const query = `tenant=acme&${route.reveals}=true`;
      const { action } = route;
      const before = { count: await reveals(), actions: await recorded('chefe') };
      expect((await answerTo('joao', route, query)).status).toBe(403);
      expect(await reveals()).toBe(before.count);
      const { status, text } = await answerTo('maria', route, query);
      expect({ status, isShown: text.includes(CANARY) }).toEqual({ status: 200, isShown: true });
      expect(await reveals()).toBe(before.count + 1);
      expect(await recorded('chefe')).toEqual([`${action?.name} done`, ...before.actions].slice(0, 200));
      expect(apps.received.at(-1)?.url).not.toContain('unmasked');
    },
  );
});

describe('an operator who may only see gets', () => {
  const url = 'https://files.example.com/invoices/9f2c.pdf';
  const title = 'CPF 000.000.001-91 recusado';
  const error = { statusCode: 422, title };

  it('no address of the PDF of an invoice that a colleague read, nor any text of its result', async () => {
    const result = {
      outcome: 'refused',
      commandId: 'console-1',
      reason: { code: 'PLATFORM_REFUSED', message: url },
      errors: [{ field: 'url', code: 'PLATFORM_REFUSED', message: url, hint: url }],
      data: { urls: [url], files: [{ url, name: 'maria-silva.pdf' }] },
      platform: { title },
    };
    apps.answer(() => ({ status: 202, body: '{"tenant":"acme","commandId":"console-1"}' }));
    const command = { tenant: 'acme', commandId: 'console-1', command: 'ReadInvoice', orderNumber: 1 };
    await as('maria').call('POST', '/apps/file-gateway/api/commands', command);
    const { body: actions } = await as('joao').call('GET', '/actions?subject=console-1');
    expect(actions).toMatchObject({ items: [{ action: 'give-file-command', subject: 'console-1' }] });
    const answer = { commandId: 'console-1', command: 'ReadInvoice', tenant: 'acme', outcome: 'refused', result };
    apps.answer(() => ({ body: JSON.stringify(answer) }));
    const path = '/apps/file-gateway/api/commands/console-1?tenant=acme';
    const { body } = await as('joao').call('GET', path);
    expect(body).toMatchObject({
      command: 'ReadInvoice',
      result: { outcome: 'refused', reason: { code: 'PLATFORM_REFUSED' } },
    });
    expect(JSON.stringify([body, actions])).not.toMatch(/files\.example|9f2c|maria-silva|000\.000/);
    expect((await as('joao').call('GET', `${path}&unmasked=true`)).status).toBe(403);
    expect((await as('maria').call('GET', `${path}&unmasked=true`)).body).toMatchObject({
      result: { data: { urls: [url] } },
    });
  });

  it('no title of an error of the platform, in facts and timelines', async () => {
    const fact = { at: '2026-11-26T11:00:00Z', kind: 'fact', eventType: 'Order_UpdateFailed', error };
    apps.answer(() => ({ body: JSON.stringify({ tenant: 'acme', facts: [fact], timeline: [fact] }) }));
    for (const path of ['orders/1', 'commands/c-1']) {
      const { status, body } = await as('joao').call('GET', `/apps/order-command-handler/api/${path}?tenant=acme`);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { timeline: [{ eventType: 'Order_UpdateFailed', error: { statusCode: 422 } }] },
      });
      expect(JSON.stringify(body)).not.toContain('000.000');
    }
  });

  it('no names of headers of a dead letter, however it is asked for', async () => {
    const headers = [{ name: 'x-customer-maria', bytes: 7 }];
    apps.answer(() => ({ body: JSON.stringify({ tenant: 'acme', id: '7', headers }) }));
    const path = '/apps/order-command-handler/api/dead-letters/7';
    const { body } = await as('joao').call('GET', path);
    expect(body).toEqual({ tenant: 'acme', id: '7', headers: [{ name: 'x***', bytes: 7 }] });
    for (const query of ['body=true', 'body=false&body=true', 'unmasked=true', 'reveal=true', 'body=1']) {
      expect(JSON.stringify((await as('joao').call('GET', `${path}?${query}`)).body)).not.toContain('x-customer');
    }
    expect((await as('maria').call('GET', `${path}?body=true`)).body).toMatchObject({ headers });
  });
});
