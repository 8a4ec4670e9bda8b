import { generateKeyPairSync, sign } from 'node:crypto';
import { freePort } from '@gondola/local-stack/free-port';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type MutableResponse, OAuth2Server } from 'oauth2-mock-server';
import { Browser, type BrowserAnswer, startConsole, type TestConsole } from './support/console-app.ts';

const { privateKey: ANOTHER_KEY } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

let provider: OAuth2Server;
let app: TestConsole;
let claims: Record<string, unknown>;
/** Changes an id token after the provider has signed it. */
let changed: (idToken: string) => string;

beforeAll(async () => {
  provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, claims);
  });
  provider.service.on('beforeResponse', ({ body }: MutableResponse) => {
    if (typeof body === 'object') body['id_token'] = changed(String(body['id_token']));
  });
  const port = await freePort();
  app = await startConsole({
    env: {
      HTTP_PORT: String(port),
      CONSOLE_URL: `http://127.0.0.1:${port}`,
      OIDC_ISSUER: provider.issuer.url!,
      OIDC_CLIENT_ID: 'gondola-console',
      OIDC_CLIENT_SECRET: 'the-secret-of-the-client',
    },
  });
});

beforeEach(() => {
  changed = (idToken) => idToken;
});

afterAll(async () => {
  await app.stop();
  await provider.stop();
});

async function leave(): Promise<Headers> {
  return (await new Browser(app.url).call('GET', '/session/oidc')).headers;
}

/** Goes to the provider and takes the address at which it sends the browser back. */
async function wayBack(browser: Browser): Promise<string> {
  const left = await browser.call('GET', '/session/oidc');
  const answer = await fetch(left.headers.get('location')!, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location')!);
  return back.pathname + back.search;
}

async function signIn(browser: Browser): Promise<BrowserAnswer> {
  return browser.call('GET', await wayBack(browser));
}

const places = ({ headers }: BrowserAnswer) => headers.get('location');

describe('signing in by OpenID Connect', () => {
  it('asks with a challenge, a state and a nonce, each new', async () => {
    const [first, second] = [await leave(), await leave()];
    expect(first.getSetCookie()).toEqual([expect.stringMatching(/^gondola-oidc=.*HttpOnly; SameSite=Lax$/)]);
    const [one, other] = [first, second].map((headers) => new URL(headers.get('location')!).searchParams) as [
      URLSearchParams,
      URLSearchParams,
    ];
    expect(one.get('code_challenge_method')).toBe('S256');
    expect(one.get('response_type')).toBe('code');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.get(name)).not.toBe(other.get(name));
    }
  });

  it('gives the roles of the groups, and of no others', async () => {
    claims = { preferred_username: 'ana@loja', groups: ['operacao', 'somebody-elses'] };
    const browser = new Browser(app.url);
    expect(places(await signIn(browser))).toBe('/');
    expect((await browser.call('GET', '/session')).body).toEqual({
      operator: { name: 'ana@loja (SSO)' },
      tenants: [{ id: 'acme', act: true }],
    });
    expect([...browser.cookies.keys()]).toEqual(['gondola']);
  });

  it('refuses someone of no known group', async () => {
    claims = { preferred_username: 'ana@loja', groups: [] };
    const browser = new Browser(app.url);
    expect(places(await signIn(browser))).toBe('/#sign-in=no-rights');
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  it('takes no answer that another browser asked for, and none twice', async () => {
    claims = { preferred_username: 'ana@loja', groups: ['operacao'] };
    const browser = new Browser(app.url);
    const back = await wayBack(browser);
    expect(places(await new Browser(app.url).call('GET', back))).toBe('/#sign-in=failed');
    const other = new Browser(app.url);
    await wayBack(other);
    expect(places(await other.call('GET', back))).toBe('/#sign-in=failed');
    expect(places(await browser.call('GET', back))).toBe('/');
    expect(places(await browser.call('GET', back))).toBe('/#sign-in=failed');
  });

  it('takes no token with another nonce', async () => {
    claims = { preferred_username: 'ana@loja', groups: ['operacao'], nonce: 'of-another-sign-in' };
    expect(places(await signIn(new Browser(app.url)))).toBe('/#sign-in=failed');
  });

  it.each([
    ['of another content', (token: string) => withPart(token, 1, { ...partOf(token, 1), groups: ['auditoria'] })],
    ['of no signature', (token: string) => token.replace(/[^.]+$/, '')],
    ['that says that it is not signed', (token: string) => withPart(token, 0, { alg: 'none' }).replace(/[^.]+$/, '')],
    ['of another key', (token: string) => signedByAnother(token)],
  ])('takes no token %s', async (_what, change) => {
    claims = { preferred_username: 'ana@loja', groups: ['operacao'] };
    changed = change;
    const browser = new Browser(app.url);
    expect(places(await signIn(browser))).toBe('/#sign-in=failed');
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  it.each([undefined, '', 7, 'x'.repeat(256), 'ana\u202E'])('takes no token that names nobody: sub %j', async (sub) => {
    claims = { preferred_username: 'ana@loja', groups: ['operacao'], sub };
    expect(places(await signIn(new Browser(app.url)))).toBe('/#sign-in=failed');
  });

  it('shows the refusal of the provider as one', async () => {
    const browser = new Browser(app.url);
    const back = new URL(await wayBack(browser), app.url);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect(places(await browser.call('GET', back.pathname + back.search))).toBe('/#sign-in=failed');
  });
});

describe('someone whom the provider calls as a local operator is called', () => {
  it.each(['maria', 'local', 'maria (SSO)'])('is not taken for her: %s', async (name) => {
    claims = { preferred_username: name, groups: ['operacao'], sub: 'sub-of-ana' };
    const browser = new Browser(app.url);
    await signIn(browser);
    const session = await browser.call('GET', '/session');
    expect(session.body).toMatchObject({ operator: { name: `${name} (SSO)` } });
    // The app is away, but the action is stored before it is asked.
    await browser.call('POST', '/apps/order-command-handler/api/orders/9/release', { tenant: 'acme' });
    const { body } = await browser.call('GET', '/actions?tenant=acme&subject=9&limit=1');
    const who = { operator: `${name} (SSO)`, operatorMethod: 'oidc', operatorSubject: 'sub-of-ana' };
    expect(body).toMatchObject({ items: [{ ...who, action: 'release-order' }] });
    expect((await browser.call('GET', '/sessions')).body).toMatchObject({
      items: [{ operator: `${name} (SSO)`, method: 'oidc', subject: 'sub-of-ana' }],
    });
    await browser.call('DELETE', '/session');
  });
});

describe('the log', () => {
  it.each([
    [['operacao'], 'An operator signed in to the console'],
    [[], 'An attempt to sign in to the console was refused'],
  ])('has one line with name, sub and address for groups %j', async (groups, text) => {
    claims = { preferred_username: 'rui', groups, sub: 'sub-of-rui' };
    app.lines.splice(0);
    await signIn(new Browser(app.url));
    const who = { method: 'oidc', operator: 'rui (SSO)', operatorSubject: 'sub-of-rui' };
    expect(linesOf(text)).toEqual([expect.objectContaining({ ...who, callerAddress: '127.0.0.1' })]);
  });

  it('has one line with the address for a sign-in that failed', async () => {
    claims = { preferred_username: 'rui', groups: [] };
    changed = (token) => token.replace(/[^.]+$/, '');
    app.lines.splice(0);
    await signIn(new Browser(app.url));
    expect(linesOf('A sign-in by OpenID Connect failed')).toMatchObject([{ callerAddress: '127.0.0.1' }]);
  });
});

function linesOf(text: string): Array<Record<string, unknown>> {
  return app.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === text);
}

function partOf(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Record<string, unknown>;
}

/** The token with another header (0) or payload (1), and the signature of before. */
function withPart(token: string, index: number, content: object): string {
  return token
    .split('.')
    .with(index, Buffer.from(JSON.stringify(content)).toString('base64url'))
    .join('.');
}

/** The token as someone signs it who has not the provider's key, but knows its name. */
function signedByAnother(token: string): string {
  const content = token.split('.').slice(0, 2).join('.');
  return `${content}.${sign('sha256', Buffer.from(content), ANOTHER_KEY).toString('base64url')}`;
}

it('without a provider there is no such route', async () => {
  const without = await startConsole();
  try {
    expect((await new Browser(without.url).call('GET', '/session/oidc')).status).toBe(404);
  } finally {
    await without.stop();
  }
});
