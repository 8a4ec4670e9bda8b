import { isKnownAfter } from '@gondola/service-kit/testing/known-caller';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashPassword } from '../src/operators/password-hash.adapter.ts';
import {
  Browser,
  LINK_SECRET,
  OPERATIONS_TOKEN,
  startConsole,
  type TestConsole,
  type TestConsoleOptions,
} from './support/console-app.ts';

interface Listed {
  readonly id: string;
  readonly operator: string;
  readonly method: string;
  readonly address: string;
}

const JSON_BODY = { 'content-type': 'application/json' };

let app: TestConsole;

beforeAll(async () => {
  app = await startConsole();
});

beforeEach(() => app.database.query('DELETE FROM sessions'));

afterAll(() => app.stop());

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(app.url);
  expect((await browser.signIn(name)).status).toBe(200);
  return browser;
}

async function statusOf(browser: Browser): Promise<number> {
  return (await browser.call('GET', '/session')).status;
}

async function listed(browser: Browser): Promise<Listed[]> {
  return ((await browser.call('GET', '/sessions')).body as { items: Listed[] }).items;
}

async function seenBy(browser: Browser): Promise<unknown> {
  return (await browser.call('GET', '/actions?tenant=acme')).body;
}

async function actions(): Promise<object[]> {
  const { rows } = await app.database.query<object>(
    `SELECT operator, operator_method AS method, action, subject, tenant, outcome FROM actions
     WHERE action LIKE 'end-%' ORDER BY id`,
  );
  return rows;
}

/** The status of a session after the console was started again with another configuration. */
async function afterStart(browser: Browser, { env = {}, users = {} }: TestConsoleOptions): Promise<number> {
  const again = await startConsole({ users, env: { DATABASE_SCHEMA: app.schema, ...env } });
  try {
    const same = new Browser(again.url);
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    return await statusOf(same);
  } finally {
    await again.stop();
  }
}

function isKnownBy(cookie: string): Promise<boolean> {
  return isKnownAfter(app.running, { path: '/session', headers: { cookie } });
}

describe('the connection of a browser', () => {
  it('is one of a known sender by its session alone', async () => {
    const { cookies } = await signedIn('maria');
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    // Another token whatever its first character is.
    const strange = cookie.replace(/^gondola=./, (start) => (start.endsWith('A') ? 'gondola=B' : 'gondola=A'));
    expect(strange).not.toBe(cookie);
    expect([await isKnownBy(cookie), await isKnownBy(strange), await isKnownBy('')]).toEqual([true, false, false]);
  });
});

describe('a session counts as long as what opened it', () => {
  it('a password: neither a changed one, nor a removed user', async () => {
    const browser = await signedIn('maria');
    expect(await afterStart(browser, {})).toBe(200);
    const maria = { password: await hashPassword('another password of hers'), roles: { acme: 'act' } };
    expect(await afterStart(browser, { users: { maria } })).toBe(401);
    expect(await afterStart(browser, { users: { maria: undefined } })).toBe(401);
    expect(await afterStart(browser, { users: { joao: maria } })).toBe(200);
  });

  it('a link: neither another secret, nor none', async () => {
    const browser = new Browser(app.url);
    await browser.call('POST', '/session/link', { secret: LINK_SECRET });
    expect(await afterStart(browser, {})).toBe(200);
    expect(await afterStart(browser, { env: { CONSOLE_LINK_SECRET: 'another-secret-of-another-start' } })).toBe(401);
    expect(await afterStart(browser, { env: { CONSOLE_LINK_SECRET: '' } })).toBe(401);
  });

  it('which an earlier version did not store: it ended', async () => {
    const browser = await signedIn('maria');
    await app.database.query('UPDATE sessions SET credential = NULL');
    expect(await statusOf(browser)).toBe(401);
    expect(await listed(await signedIn('chefe'))).toHaveLength(1);
  });

  it('and one that no longer counts is not prolonged by its use', async () => {
    const browser = await signedIn('maria');
    await app.database.query(`UPDATE sessions SET seen_at = seen_at - interval '1 hour', rotated_at = seen_at`);
    const before = await app.database.query('SELECT seen_at, token_hash FROM sessions');
    expect(await afterStart(browser, { users: { maria: undefined } })).toBe(401);
    expect((await app.database.query('SELECT seen_at, token_hash FROM sessions')).rows).toEqual(before.rows);
  });
});

describe('the list of sessions', () => {
  it('has the own ones, with method, times and address, and no secret', async () => {
    const browser = await signedIn('maria');
    await signedIn('maria');
    await signedIn('joao');
    const { body } = await browser.call('GET', '/sessions');
    expect(body).toMatchObject({ everybody: false, present: expect.stringMatching(/^\d+$/) });
    const items = await listed(browser);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const hers = { operator: 'maria', method: 'password', subject: null, createdAt: time, seenAt: time };
    expect(items).toEqual([1, 2].map(() => ({ id: expect.any(String), ...hers, address: '127.0.0.1' })));
  });

  it('has those of everybody for who may act on every shop, and for nobody else', async () => {
    await signedIn('maria');
    await signedIn('joao');
    const names = async (name: string) =>
      (await listed(await signedIn(name))).map(({ operator }) => operator).toSorted();
    expect(await names('chefe')).toEqual(['chefe', 'joao', 'maria']);
    expect(await names('auditor')).toEqual(['auditor']);
  });

  it('is for who signed in', async () => {
    expect((await new Browser(app.url).call('GET', '/sessions')).status).toBe(401);
    expect((await new Browser(app.url).call('GET', '/api/sessions')).status).toBe(401);
  });
});

describe('ending sessions', () => {
  it('ends one, or all of one operator, and stores who ended whose', async () => {
    await app.database.query('DELETE FROM actions');
    const chief = await signedIn('chefe');
    const [first, second, third, other] = [
      await signedIn('maria'),
      await signedIn('maria'),
      await signedIn('maria'),
      await signedIn('joao'),
    ];
    const hers = (await listed(chief)).filter(({ operator }) => operator === 'maria');
    const before = (await first.call('GET', '/sessions')).body as { present: string };
    expect((await chief.call('POST', `/sessions/${before.present}/end`, {})).body).toEqual({ ended: 1 });
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(second)).toBe(200);
    const left = hers.find(({ id }) => id !== before.present)!;
    expect((await chief.call('POST', `/sessions/${left.id}/end`, { all: true })).body).toEqual({ ended: 2 });
    const statuses = await Promise.all([second, third, other, chief].map(statusOf));
    expect(statuses).toEqual([401, 401, 200, 200]);
    const who = { operator: 'chefe', method: 'password', subject: 'maria', tenant: null, outcome: 'done' };
    expect(await actions()).toEqual([
      { ...who, action: 'end-session' },
      { ...who, action: 'end-sessions' },
    ]);
  });

  it('is shown among the actions of a shop to who may see every shop', async () => {
    await app.database.query('DELETE FROM actions');
    const joao = await signedIn('joao');
    const [{ id } = { id: '' }] = await listed(joao);
    const maria = await signedIn('maria');
    const auditor = await signedIn('auditor');
    await joao.call('POST', `/sessions/${id}/end`, {});
    const action = { operator: 'joao', operatorMethod: 'password', action: 'end-session', subject: 'joao' };
    expect(await seenBy(auditor)).toMatchObject({ items: [action] });
    expect(await seenBy(maria)).toMatchObject({ items: [] });
  });

  it('of others is for who may act on every shop, and of none is a 404', async () => {
    const joao = await signedIn('joao');
    const [{ id } = { id: '' }] = await listed(joao);
    for (const name of ['maria', 'auditor']) {
      expect((await (await signedIn(name)).call('POST', `/sessions/${id}/end`, { all: true })).status).toBe(404);
    }
    const chief = await signedIn('chefe');
    for (const wrong of ['0', 'x', '9'.repeat(30), '1%00']) {
      expect((await chief.call('POST', `/sessions/${wrong}/end`, {})).status).toBe(404);
    }
    expect((await chief.call('POST', `/sessions/${id}/end`, { all: 'perhaps' })).status).toBe(400);
    expect((await chief.call('POST', `/sessions/${id}/end`, {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await statusOf(joao)).toBe(200);
  });

  it('by the command line needs the operations token, and is stored as its action', async () => {
    await app.database.query('DELETE FROM actions');
    const browser = await signedIn('maria');
    const bearer = { authorization: `Bearer ${OPERATIONS_TOKEN}`, origin: '', 'content-type': '' };
    const shell = new Browser(app.url);
    const listing = await shell.call('GET', '/api/sessions', undefined, bearer);
    const { entries } = listing.body as { entries: Listed[] };
    expect(entries).toMatchObject([{ operator: 'maria', method: 'password' }]);
    const path = `/api/sessions/${entries[0]!.id}/end`;
    expect((await browser.call('POST', path, {})).status).toBe(401);
    expect((await shell.call('POST', path, { all: 'yes' }, { ...bearer, ...JSON_BODY })).status).toBe(400);
    const { body } = await shell.call('POST', path, { all: true }, { ...bearer, ...JSON_BODY });
    expect({ body, status: await statusOf(browser) }).toEqual({ body: { ended: 1 }, status: 401 });
    const who = { operator: 'OPERATIONS_TOKEN', method: 'token', subject: 'maria', tenant: null, outcome: 'done' };
    expect(await actions()).toEqual([{ ...who, action: 'end-sessions' }]);
  });
});
