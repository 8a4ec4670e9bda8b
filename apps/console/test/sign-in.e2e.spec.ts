import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, LINK_SECRET, PASSWORD, startConsole, type TestConsole } from './support/console-app.ts';

let app: TestConsole;

beforeAll(async () => {
  app = await startConsole();
});

afterAll(() => app.stop());

describe('GET /session', () => {
  it('names the ways to sign in to someone who is not signed in', async () => {
    const { status, body } = await new Browser(app.url).call('GET', '/session');
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: { code: 'UNAUTHORIZED' }, methods: ['link', 'password'] });
  });

  it('shows the operator and each shop with the right to act', async () => {
    const browser = new Browser(app.url);
    const shown = {
      operator: { name: 'auditor' },
      tenants: [
        { id: 'acme', act: false },
        { id: 'norte', act: false },
      ],
    };
    expect((await browser.signIn('auditor')).body).toEqual(shown);
    expect((await browser.call('GET', '/session')).body).toEqual(shown);
  });
});

describe('signing in by password', () => {
  it('sets a cookie that no script and no other site uses', async () => {
    const { status, headers } = await new Browser(app.url).signIn('maria');
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gondola=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(
        /^gondola-browser=[\w-]+\.[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  it('refuses a wrong password and an unknown name in the same words', async () => {
    const wrong = await new Browser(app.url).signIn('joao', 'not it at all');
    const unknown = await new Browser(app.url).signIn('nobody-of-that-name', PASSWORD);
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
  });

  it('reads no body of more than 16 kB of somebody who is not signed in', async () => {
    const browser = new Browser(app.url);
    const long = 'x'.repeat(16_384);
    const path = '/apps/order-command-handler/api/jobs?tenant=acme';
    for (const to of ['/session/password', path])
      expect(await browser.call('POST', to, { name: 'maria', long })).toMatchObject({ status: 401 });
    await browser.signIn('maria');
    expect((await browser.call('POST', path, { long })).status).not.toBe(401);
  });

  it('refuses a user who may see no shop', async () => {
    const { status, body, headers } = await new Browser(app.url).signIn('ninguem');
    expect({ status, cookies: headers.getSetCookie() }).toEqual({ status: 403, cookies: [] });
    expect(body).toMatchObject({ error: { code: 'NO_RIGHTS' } });
  });

  it.each(['', 'https://evil.example', 'null'])('refuses a call from the page of another site: %s', async (origin) => {
    const browser = new Browser(app.url);
    const answer = await browser.call('POST', '/session/password', { name: 'maria', password: PASSWORD }, { origin });
    expect({ status: answer.status, cookies: browser.cookies.size }).toEqual({ status: 403, cookies: 0 });
  });

  it.each([
    ['joao', 'not it at all', 'An attempt to sign in to the console was refused'],
    ['ninguem', PASSWORD, 'An attempt to sign in to the console was refused'],
    ['maria', PASSWORD, 'An operator signed in to the console'],
  ])('leaves one line with name and address in the log: %s, %s', async (name, password, msg) => {
    app.lines.splice(0);
    await new Browser(app.url).signIn(name, password);
    const lines = app.lines.map((line) => JSON.parse(line) as object).filter((line) => 'callerAddress' in line);
    const who = { method: 'password', operator: name, callerAddress: '127.0.0.1' };
    expect(lines).toEqual([expect.objectContaining({ msg, ...who })]);
  });

  it('writes neither password nor token into the log', async () => {
    const browser = new Browser(app.url);
    await browser.signIn('maria');
    const log = app.lines.join('');
    expect(log).not.toContain(PASSWORD);
    expect(log).not.toContain([...browser.cookies.values()][0]);
  });
});

describe('the link of npm start', () => {
  it('signs in once, with every right, and then no more', async () => {
    const first = await new Browser(app.url).call('POST', '/session/link', { secret: LINK_SECRET });
    const second = await new Browser(app.url).call('POST', '/session/link', { secret: LINK_SECRET });
    expect(first.body).toMatchObject({
      tenants: [
        { id: 'acme', act: true },
        { id: 'norte', act: true },
      ],
    });
    expect(second.status).toBe(401);
    expect(app.lines.join('')).not.toContain(LINK_SECRET);
  });
});

describe('signing out', () => {
  it('deletes the session, so that its cookie is worth nothing', async () => {
    const browser = new Browser(app.url);
    await browser.signIn('maria');
    const cookies = new Map(browser.cookies);
    expect((await browser.call('DELETE', '/session')).status).toBe(204);
    expect([...browser.cookies.keys()]).toEqual(['gondola-browser']);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });
});

it('stores only hashes of tokens', async () => {
  const browser = new Browser(app.url);
  await browser.signIn('maria');
  const { rows } = await app.database.query<{ text: string }>('SELECT sessions::text AS text FROM sessions');
  const [token = ''] = browser.cookies.values();
  expect(rows.length).toBeGreaterThan(0);
  expect(
    rows.filter(({ text }) => text.includes(token) || text.includes(Buffer.from(token, 'base64url').toString('hex'))),
  ).toEqual([]);
});

it('signing in ends the session from before', async () => {
  const browser = new Browser(app.url);
  await browser.signIn('maria');
  const before = new Map(browser.cookies);
  await browser.signIn('maria');
  const old = new Browser(app.url);
  for (const [name, value] of before) old.cookies.set(name, value);
  expect((await old.call('GET', '/session')).status).toBe(401);
  expect((await browser.call('GET', '/session')).status).toBe(200);
});

describe('the pace of sign-ins', () => {
  const ORIGIN = 'https://console.example.com';
  let behindProxy: TestConsole;

  beforeAll(async () => {
    behindProxy = await startConsole({ env: { CONSOLE_URL: ORIGIN } });
  });

  afterAll(() => behindProxy.stop());

  const attempt = async (address: string, name: string, password: string, browser = new Browser(behindProxy.url)) => {
    const headers = { origin: ORIGIN, 'x-forwarded-for': address };
    return (await browser.call('POST', '/session/password', { name, password }, headers)).status;
  };
  /** Attempts until one is not heard. */
  const untilSlowed = async (addressOf: (attempt: number) => string, name: string): Promise<number> => {
    for (let tried = 1; tried < 20; tried += 1)
      if ((await attempt(addressOf(tried), name, 'not it at all')) === 429) return tried;
    return Number.NaN;
  };

  it('keeps nobody out for what others do under the same name or at the same address', async () => {
    const own = new Browser(behindProxy.url);
    expect(await attempt('198.51.100.1', 'maria', PASSWORD, own)).toBe(200);
    expect(await untilSlowed(() => '203.0.113.9', 'maria')).toBeLessThan(7);
    expect(await attempt('203.0.113.9', 'joao', PASSWORD)).toBe(429);
    expect(await attempt('198.51.100.2', 'maria', PASSWORD)).toBe(200);
    expect(await attempt('203.0.113.9', 'maria', PASSWORD, own)).toBe(200);
  });

  it('takes all addresses of one IPv6 network for one', async () => {
    expect(await untilSlowed((tried) => `2001:db8:0:1::${tried}`, 'joao')).toBeLessThan(7);
    expect(await attempt('2001:db8:0:2::1', 'joao', PASSWORD)).toBe(200);
  });

  it('slows down a browser that is known, too', async () => {
    const own = new Browser(behindProxy.url);
    expect(await attempt('198.51.100.3', 'maria', PASSWORD, own)).toBe(200);
    const statuses: number[] = [];
    for (let tried = 0; tried < 7; tried += 1) statuses.push(await attempt('198.51.100.3', 'maria', 'wrong', own));
    expect(statuses).toContain(429);
  });
});
