/// <reference lib="dom" />
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { buildPage } from './support/built-page.ts';
import { launchChromium, type OpenedPage, openPage } from '@gondola/local-stack/testing/chromium';
import { LINK_SECRET, PASSWORD, startConsole, type TestConsole } from './support/console-app.ts';
import { type FakeApps, startFakeApps } from './support/fake-apps.ts';
import { explanation, order, orderEntry, product } from './support/shop-answers.ts';

const PAGES = [
  '/',
  '/orders',
  '/orders/100001',
  '/products',
  '/products/4711',
  '/loads',
  '/try',
  '/notifications',
  '/webhook',
  '/files',
  '/files/4711-1',
  '/recovery',
  '/privacy',
  '/operators',
];
const PHONE = { width: 360, height: 740 };
const MOST_INITIAL_BYTES = 200_000;
/** Breaks out of markup, runs as a script, turns the direction of what follows, and is long. */
const HOSTILE = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u202E\u2066${'ã'.repeat(10_000)}`;

let page: { readonly folder: string; remove(): Promise<void> };
let browser: Browser;
let apps: FakeApps;
let app: TestConsole;
let opened: OpenedPage;

beforeAll(async () => {
  page = await buildPage();
  browser = await launchChromium();
  apps = await startFakeApps();
  app = await startConsole({ apps: apps.urls, page: page.folder });
});

afterAll(async () => {
  await app?.stop();
  await apps?.stop();
  await browser?.close();
  await page?.remove();
});

beforeEach(() => answerWith('Queijo Minas Frescal'));

afterEach(async () => {
  await opened.close();
  if (opened.faults.length > 0) throw new Error(opened.faults.join('\n'));
});

/** Every app answers; the texts that others write are `name`. */
function answerWith(name: string): void {
  apps.answer((call) => ({ body: JSON.stringify(answerTo(call, name)) }));
}

function answerTo({ app: called, url }: { app: string; url: string }, name: string): unknown {
  const path = new URL(url, 'http://app').pathname;
  if (path === '/health/ready') return { status: 'ready', checks: {} };
  if (path === '/api/info') return { name: 'app', version: '1.0.0' };
  if (path === '/api/orders') return { entries: [orderEntry()], next: null };
  if (path === '/api/orders/100001') return order({ name });
  if (path === '/api/products/4711') return product({ name });
  if (path.endsWith('/explanation')) return explanation({ name });
  if (path === '/api/counts' && called === 'catalog-publisher') return [];
  if (path === '/api/counts') return { byStatus: [{ status: 400, orders: 3 }], openCommands: [], uploads: [] };
  if (path === '/api/dead-letters') return { deadLetters: [], next: null };
  if (path.endsWith('/groups')) return { groups: [] };
  if (path === '/api/webhook-registration') return { registrations: [] };
  if (path === '/api/skus/4711-1/images') return { openCommands: [] };
  return { entries: [], next: null };
}

/** Waits until something is seen. */
async function seen(what: Locator): Promise<boolean> {
  await what.first().waitFor();
  return true;
}

async function signedIn(path: string, options: { lang?: string; phone?: boolean; name?: string } = {}): Promise<Page> {
  const { lang = 'pt-BR', phone = false, name = 'maria' } = options;
  opened = await openPage(browser, { locale: lang, ...(phone && { viewport: PHONE }) });
  await opened.page.goto(`${app.url}${path}`);
  await opened.page.getByLabel(lang === 'en' ? 'User' : 'Usuário').fill(name);
  await opened.page.getByLabel(lang === 'en' ? 'Password' : 'Senha').fill(PASSWORD);
  await opened.page.getByRole('button', { name: lang === 'en' ? 'Sign in' : 'Entrar', exact: true }).click();
  await opened.page.getByRole('link', { name: 'Gondola' }).waitFor();
  return opened.page;
}

describe('the page in a browser', () => {
  it('loads at most 200 kB of compressed JavaScript at first', async () => {
    opened = await openPage(browser);
    const loaded: string[] = [];
    opened.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await opened.page.goto(app.url);
    await opened.page.getByLabel('Senha').waitFor();
    const scripts = [...new Set(loaded)].filter((path) => path.endsWith('.js'));
    const sizes = await Promise.all(
      scripts.map(async (path) => gzipSync(await readFile(join(page.folder, path))).length),
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_INITIAL_BYTES);
  });

  it('names no other host in its files', async () => {
    opened = await openPage(browser);
    const texts = await Promise.all(
      (await readdir(join(page.folder, 'assets'))).map((name) => readFile(join(page.folder, 'assets', name), 'utf8')),
    );
    const html = await readFile(join(page.folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/https?:\/\//);
    expect(texts.join('')).not.toMatch(/@import\s+url\(["']?https?:|url\(["']?https?:/);
  });
});

describe('signing in', () => {
  it('uses the secret of a link once, and takes it out of the address', async () => {
    opened = await openPage(browser);
    await opened.page.goto(`${app.url}/orders#link=${LINK_SECRET}`);
    await opened.page.getByRole('heading', { name: 'Pedidos', level: 1 }).waitFor();
    expect(opened.page.url()).toBe(`${app.url}/orders`);
    await opened.close();
    opened = await openPage(browser);
    await opened.page.goto(`${app.url}/#link=${LINK_SECRET}`);
    expect(await seen(opened.page.getByText('Este link já foi usado'))).toBe(true);
  });

  it('says that a password is wrong, and asks again', async () => {
    opened = await openPage(browser);
    await opened.page.goto(app.url);
    await opened.page.getByLabel('Usuário').fill('maria');
    await opened.page.getByLabel('Senha').fill('wrong');
    await opened.page.keyboard.press('Enter');
    expect(await seen(opened.page.getByRole('alert').getByText('Usuário ou senha incorretos.'))).toBe(true);
  });

  it('says why the provider of the company let nobody in', async () => {
    opened = await openPage(browser);
    await opened.page.goto(`${app.url}/#sign-in=no-rights`);
    expect(await seen(opened.page.getByRole('alert').getByText('não tem acesso a nenhuma loja'))).toBe(true);
  });

  it('leads back to the page of the address after the session has ended', async () => {
    const shown = await signedIn('/orders/100001');
    await shown.getByRole('heading', { name: 'Pedido 100001', level: 1 }).waitFor();
    await shown.context().clearCookies();
    await shown.getByText('A sua sessão terminou.').waitFor();
    await shown.getByLabel('Usuário').fill('maria');
    await shown.getByLabel('Senha').fill(PASSWORD);
    await shown.keyboard.press('Enter');
    expect(await seen(shown.getByRole('heading', { name: 'Pedido 100001', level: 1 }))).toBe(true);
  });
});

describe('every page', () => {
  it.each(['pt-BR', 'en'])('has nothing serious that axe finds, on a phone and in the language %s', async (lang) => {
    const shown = await signedIn('/', { lang, phone: true });
    for (const path of PAGES) {
      await shown.goto(`${app.url}${path}`);
      await shown.getByRole('heading', { level: 1 }).waitFor();
      await shown.waitForLoadState('networkidle');
      const { violations } = await new AxeBuilder({ page: shown }).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect({ path, found: serious.map(({ id, nodes }) => [id, nodes[0]?.html]) }).toEqual({ path, found: [] });
      const width = await shown.evaluate(() => document.documentElement.scrollWidth);
      expect({ path, isWiderThanThePhone: width > PHONE.width }).toEqual({ path, isWiderThanThePhone: false });
    }
  });

  it('is in the language of the browser, and in the other one by the switch', async () => {
    const shown = await signedIn('/orders', { lang: 'en' });
    await shown.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await shown.getByLabel('Language').selectOption('pt-BR');
    await shown.getByRole('heading', { name: 'Pedidos', level: 1 }).waitFor();
    expect(await shown.locator('html').getAttribute('lang')).toBe('pt-BR');
  });

  it('says at the top what needs somebody, since when and who must act', async () => {
    const shown = await signedIn('/');
    await shown.getByRole('heading', { name: '1 assunto precisa de alguém' }).waitFor();
    await shown.getByRole('link', { name: '1 pedido: separado, e a nota não foi registrada' }).waitFor();
    expect(await seen(shown.getByText('Quem age: o ERP'))).toBe(true);
  });

  it('says to the operator of one shop of several which records of it failed, also after a redrive', async () => {
    apps.answer((call) => {
      const { pathname, searchParams } = new URL(call.url, 'http://app');
      const isAsked = pathname === '/api/dead-letters' && call.app === 'catalog-publisher';
      if (!isAsked || searchParams.get('tenant') !== 'acme' || searchParams.get('state') !== 'open') {
        return { body: JSON.stringify(answerTo(call, 'Queijo Minas Frescal')) };
      }
      const letter = { id: 'l', tenant: 'acme', state: 'open', redriven: 1, deadAt: '2026-11-26T08:00:00Z' };
      return { body: JSON.stringify({ deadLetters: [letter], next: null }) };
    });
    const shown = await signedIn('/');
    expect(await seen(shown.getByText('1 registro não pôde ser usado por'))).toBe(true);
  });

  it('works by keyboard: the way to an order, and a question that Escape closes', async () => {
    const shown = await signedIn('/orders');
    await shown.getByRole('searchbox').or(shown.getByLabel('Número do pedido')).first().focus();
    await shown.keyboard.type('100001');
    await shown.keyboard.press('Enter');
    const button = shown.getByRole('button', { name: 'Reler da plataforma' });
    await button.focus();
    await shown.keyboard.press('Enter');
    await shown.getByRole('dialog', { name: 'Reler o pedido 100001 da plataforma?' }).waitFor();
    await shown.keyboard.press('Escape');
    await shown.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('offers nothing that changes something to who may only see', async () => {
    const shown = await signedIn('/orders/100001', { name: 'joao' });
    await shown.getByText('Só consulta').waitFor();
    await shown.getByRole('heading', { name: 'O que aconteceu' }).waitFor();
    expect(await shown.getByRole('button', { name: /Reler|Liberar|Retirar|Mostrar dados/ }).count()).toBe(0);
  });
});

describe('what others wrote', () => {
  it.each(['/orders/100001', '/products/4711'])('is shown as text, cut and without effect, at %s', async (path) => {
    answerWith(HOSTILE);
    const shown = await signedIn(path);
    await shown.getByText('<img src=x onerror=').first().waitFor();
    expect(await shown.locator('main img, main script').count()).toBe(0);
    const width = await shown.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    expect(width).toBe(true);
    const isIsolated = await shown
      .getByText('<img src=x onerror=')
      .evaluateAll((found) => found.every((element) => element.closest('bdi, pre') !== null));
    expect(isIsolated).toBe(true);
  });
});

describe('an app that is away', () => {
  it('leaves the rest of the page as it is, and is back by itself', async () => {
    apps.answer((call) =>
      call.app === 'catalog-publisher' && call.url.startsWith('/api/')
        ? { status: 503, body: '{"error":{"code":"DATABASE_AWAY","message":"away"}}' }
        : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const shown = await signedIn('/', { name: 'chefe' });
    await shown.getByText('O banco de dados do aplicativo não responde.').first().waitFor();
    expect(await seen(shown.getByRole('link', { name: 'Em separação' }))).toBe(true);
    answerWith('x');
    await shown.getByText('O banco de dados do aplicativo não responde.').first().waitFor({ state: 'hidden' });
  });

  it('is said to be slow while it does not answer', async () => {
    apps.answer((call) =>
      call.url.startsWith('/api/orders?') ? { hangs: true, body: ' ' } : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const shown = await signedIn('/orders');
    expect(await seen(shown.getByRole('status').getByText('A resposta está demorando'))).toBe(true);
  });
});
