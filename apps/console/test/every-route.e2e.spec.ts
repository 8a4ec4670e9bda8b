import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PASSED_ROUTES, type PassedRoute, UNPASSED_ROUTES } from '../src/passing/passed-routes.ts';
import { type DocumentedRoute, documentedRoutes } from './support/api-documents.ts';
import { Browser, type BrowserAnswer, startConsole, type TestConsole } from './support/console-app.ts';
import { type FakeApps, startFakeApps } from './support/fake-apps.ts';

let documented: DocumentedRoute[];
let apps: FakeApps;
let app: TestConsole;

beforeAll(async () => {
  documented = await documentedRoutes();
  apps = await startFakeApps();
  app = await startConsole({ apps: apps.urls });
});

beforeEach(() => {
  apps.answer(() => ({ body: '{"tenant":"acme"}' }));
});

afterAll(async () => {
  await app.stop();
  await apps.stop();
});

const nameOf = ({ app: of, method, path }: DocumentedRoute | PassedRoute) => `${of} ${method} ${path}`;
const reasonOf = ({ method, path }: DocumentedRoute) => UNPASSED_ROUTES[`${method} ${path}`];

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(app.url);
  await browser.signIn(name);
  return browser;
}

/** The call of a route about the shop acme; with `reveals`, the one that shows personal data. */
async function call(
  browser: Browser,
  route: PassedRoute,
  headers: Record<string, string> = {},
  reveals = false,
): Promise<BrowserAnswer> {
  const path = `/apps/${route.app}${route.path.replaceAll(/\{\w+\}/g, '7')}`;
  const query = new URLSearchParams();
  if (route.tenant === 'query') query.set('tenant', 'acme');
  if (reveals && route.reveals !== undefined && route.reveals !== 'always') query.set(route.reveals, 'true');
  const body = route.method === 'GET' ? undefined : { tenant: 'acme', orderNumber: '7' };
  const type: Record<string, string> = route.takes === 'file' ? { 'content-type': 'image/png' } : {};
  return browser.call(route.method, `${path}?${query.toString()}`, body, { ...type, ...headers });
}

/** Calls that an operator must not make are refused, show nothing of the shop, and change nothing at an app. */
async function refusedOf(
  routes: readonly PassedRoute[],
  attempt: (route: PassedRoute) => Promise<BrowserAnswer>,
): Promise<string[]> {
  const passed: string[] = [];
  for (const route of routes) {
    apps.received.splice(0);
    const { status, body } = await attempt(route);
    const changed = apps.received.filter(({ method, url }) => method !== 'GET' || /reveal=|body=|details/.test(url));
    if (status < 400 || changed.length > 0 || JSON.stringify(body).includes('acme')) passed.push(nameOf(route));
  }
  return passed;
}

describe('every route of an operations API', () => {
  it('is passed by the table, or has the reason why it is not', () => {
    const known = new Set(PASSED_ROUTES.map(nameOf));
    const unknown = documented.filter((route) => !known.has(nameOf(route)) && reasonOf(route) === undefined);
    expect(unknown.map(nameOf)).toEqual([]);
  });

  it('that has a reason is not passed, and no line of the table names a route that is not there', () => {
    const there = new Set(documented.map(nameOf));
    expect(PASSED_ROUTES.map(nameOf).filter((name) => !there.has(name))).toEqual([]);
    expect(PASSED_ROUTES.map(nameOf).toSorted()).toEqual([...new Set(PASSED_ROUTES.map(nameOf))].toSorted());
    const unpassed = new Set(documented.map(({ method, path }) => `${method} ${path}`));
    expect(Object.keys(UNPASSED_ROUTES).filter((route) => !unpassed.has(route))).toEqual([]);
    expect(PASSED_ROUTES.filter((route) => reasonOf(route) !== undefined)).toEqual([]);
  });

  it('that has a reason is a 404 even for who may act on every shop', async () => {
    const chief = await signedIn('chefe');
    for (const { app: of, method, path } of documented.filter((route) => reasonOf(route) !== undefined)) {
      const at = `/apps/${of}${path.replaceAll(/\{\w+\}/g, '7')}`;
      const { status } = await chief.call(method, at, method === 'GET' ? undefined : {});
      expect({ at, status }).toEqual({ at, status: 404 });
    }
  });

  it('that changes something or reveals something needs the role act, and is recorded', () => {
    // These POSTs only ask: their questions are too long for a query.
    const asking = new Set(['/api/skus/known', '/api/preflight', '/api/jobs/preview']);
    const wrong = PASSED_ROUTES.filter(({ method, path }) => method !== 'GET' && !asking.has(path)).filter(
      ({ role, action }) => role !== 'act' || action === undefined,
    );
    expect(wrong.map(nameOf)).toEqual([]);
    expect(PASSED_ROUTES.filter(({ reveals, action }) => reveals !== undefined && action === undefined)).toEqual([]);
  });
});

describe('no call of the table passes', () => {
  it('for someone who is signed out', async () => {
    const nobody = new Browser(app.url);
    expect(await refusedOf(PASSED_ROUTES, (route) => call(nobody, route))).toEqual([]);
    expect(apps.received.filter(({ url }) => url.startsWith('/api/') && url !== '/api/info')).toEqual([]);
  });

  it('by the cookie of a session that ended', async () => {
    const browser = await signedIn('chefe');
    await app.database.query(`UPDATE sessions SET created_at = created_at - interval '25 hours'`);
    expect(await refusedOf(PASSED_ROUTES, (route) => call(browser, route))).toEqual([]);
  });

  it('for the operator of another shop, with and without personal data', async () => {
    const other = await signedIn('noemia');
    expect(await refusedOf(PASSED_ROUTES, (route) => call(other, route))).toEqual([]);
    expect(await refusedOf(PASSED_ROUTES, (route) => call(other, route, {}, true))).toEqual([]);
  });

  it('that acts or reveals, for an operator who may only see', async () => {
    const seer = await signedIn('joao');
    const acting = PASSED_ROUTES.filter(({ role, reveals }) => role === 'act' || reveals !== undefined);
    expect(acting.length).toBeGreaterThan(20);
    expect(await refusedOf(acting, (route) => call(seer, route, {}, true))).toEqual([]);
  });

  it('that is sent by the page of another site, or is no JSON', async () => {
    const chief = await signedIn('chefe');
    const changing = PASSED_ROUTES.filter(({ method }) => method !== 'GET');
    for (const headers of [{ origin: 'https://evil.example' }, { origin: '' }, { 'content-type': 'text/plain' }]) {
      expect(await refusedOf(changing, (route) => call(chief, route, headers))).toEqual([]);
    }
  });

  it('that changes or reveals something, and is sent by another page of the same site', async () => {
    const chief = await signedIn('chefe');
    const acting = PASSED_ROUTES.filter(({ action }) => action !== undefined);
    for (const site of ['same-site', 'cross-site', 'none']) {
      expect(await refusedOf(acting, (route) => call(chief, route, { 'sec-fetch-site': site }, true))).toEqual([]);
    }
  });
});

it('every call of the table passes for who may act on every shop', async () => {
  const chief = await signedIn('chefe');
  const refused: string[] = [];
  for (const route of PASSED_ROUTES) {
    if ((await call(chief, route, {}, true)).status !== 200) refused.push(nameOf(route));
  }
  expect(refused).toEqual([]);
});
