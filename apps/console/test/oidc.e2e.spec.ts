import { freePort } from '@gondola/local-stack/free-port';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAuth2Server } from 'oauth2-mock-server';
import { Browser, type BrowserAnswer, startConsole, type TestConsole } from './support/console-app.ts';

let provider: OAuth2Server;
let app: TestConsole;
let claims: Record<string, unknown>;

beforeAll(async () => {
  provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, claims);
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
      operator: { name: 'ana@loja' },
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

  it('shows the refusal of the provider as one', async () => {
    const browser = new Browser(app.url);
    const back = new URL(await wayBack(browser), app.url);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect(places(await browser.call('GET', back.pathname + back.search))).toBe('/#sign-in=failed');
  });
});

it('without a provider there is no such route', async () => {
  const without = await startConsole();
  try {
    expect((await new Browser(without.url).call('GET', '/session/oidc')).status).toBe(404);
  } finally {
    await without.stop();
  }
});
