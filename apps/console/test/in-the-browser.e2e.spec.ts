/// <reference lib="dom" />
import {
  compressedBytes,
  isWiderThanItsWindow,
  otherHostsOf,
  seen,
  seriousOf,
} from '@gondola/web-kit/testing/page-checks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LINK_SECRET, PASSWORD } from './support/console-app.ts';
import { answerTo } from './support/shop-answers.ts';
import { HOSTILE, startTestPage, type TestPage } from './support/test-page.ts';

const PAGES = [
  '/',
  '/orders',
  '/orders/100001',
  '/attention',
  '/products',
  '/products/4711',
  '/loads',
  '/try',
  '/notifications',
  '/webhook',
  '/files',
  '/files/4711-1',
  '/recovery',
  '/shadow',
  '/replays',
  '/audit',
  '/privacy',
  '/operators',
  '/signed-in',
];
const MOST_INITIAL_BYTES = 200_000;

let page: TestPage;

beforeAll(async () => {
  page = await startTestPage();
});

afterAll(() => page?.stop());

beforeEach(() => page.answerWith('Queijo Minas Frescal'));

afterEach(() => page.close());

describe('the page in a browser', () => {
  it('loads at most 200 kB of compressed JavaScript at first', async () => {
    const opened = await page.open();
    const loaded: string[] = [];
    opened.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await opened.goto(page.url);
    await opened.getByLabel('Senha').waitFor();
    const scripts = [...new Set(loaded)].filter((path) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    expect(await compressedBytes(page.folder, scripts)).toBeLessThan(MOST_INITIAL_BYTES);
  });

  it('names no other host in its files', async () => {
    expect(await otherHostsOf(page.folder)).toEqual([]);
  });
});

describe('signing in', () => {
  it('uses the secret of a link once, and takes it out of the address', async () => {
    const opened = await page.open();
    await opened.goto(`${page.url}/orders#link=${LINK_SECRET}`);
    await opened.getByRole('heading', { name: 'Pedidos', level: 1 }).waitFor();
    expect(opened.url()).toBe(`${page.url}/orders`);
    const second = await page.open();
    await second.goto(`${page.url}/#link=${LINK_SECRET}`);
    expect(await seen(second.getByText('Este link já foi usado'))).toBe(true);
  });

  it('says that a password is wrong, and asks again', async () => {
    const opened = await page.open();
    await opened.goto(page.url);
    await opened.getByLabel('Usuário').fill('maria');
    await opened.getByLabel('Senha').fill('wrong');
    await opened.keyboard.press('Enter');
    expect(await seen(opened.getByRole('alert').getByText('Usuário ou senha incorretos.'))).toBe(true);
  });

  it('says why the provider of the company let nobody in', async () => {
    const opened = await page.open();
    await opened.goto(`${page.url}/#sign-in=no-rights`);
    expect(await seen(opened.getByRole('alert').getByText('não tem acesso a nenhuma loja'))).toBe(true);
  });

  it('leads back to the page of the address after the session has ended', async () => {
    const shown = await page.signedIn('/orders/100001');
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
    const shown = await page.signedIn('/', { lang, phone: true });
    for (const path of PAGES) {
      await shown.goto(`${page.url}${path}`);
      await shown.getByRole('heading', { level: 1 }).waitFor();
      await shown.waitForLoadState('networkidle');
      const found = { path, serious: await seriousOf(shown), isWider: await isWiderThanItsWindow(shown) };
      expect(found).toEqual({ path, serious: [], isWider: false });
    }
  });

  it('is in the language of the browser, and in the other one by the switch', async () => {
    const shown = await page.signedIn('/orders', { lang: 'en' });
    await shown.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await shown.getByLabel('Language').selectOption('pt-BR');
    await shown.getByRole('heading', { name: 'Pedidos', level: 1 }).waitFor();
    expect(await shown.locator('html').getAttribute('lang')).toBe('pt-BR');
  });

  it('says at the top what needs somebody, since when and who must act', async () => {
    const shown = await page.signedIn('/');
    await shown.getByRole('heading', { name: '1 assunto precisa de alguém' }).waitFor();
    await shown.getByRole('link', { name: '1 pedido: separado, e a nota não foi registrada' }).waitFor();
    expect(await seen(shown.getByText('Quem age: o ERP'))).toBe(true);
  });

  it('shows what differs in an audited month, with the figures of each side and the way to the order', async () => {
    const shown = await page.signedIn('/audit');
    const month = shown.getByRole('region', { name: '2026-10 · terminado' });
    const row = month.getByRole('row', { name: /100001 preço final .*12.46 12.45/ });
    expect(await seen(row)).toBe(true);
    expect(await seen(month.getByText('R$ 0,01'))).toBe(true);
    await row.getByRole('link', { name: '100001' }).click();
    await shown.getByRole('heading', { name: 'Pedido 100001', level: 1 }).waitFor();
  });

  it('says to the operator of one shop of several which records of it failed, also after a redrive', async () => {
    page.apps.answer((call) => {
      const { pathname, searchParams } = new URL(call.url, 'http://app');
      const isAsked = pathname === '/api/dead-letters' && call.app === 'catalog-publisher';
      if (!isAsked || searchParams.get('tenant') !== 'acme' || searchParams.get('state') !== 'open') {
        return { body: JSON.stringify(answerTo(call, 'Queijo Minas Frescal')) };
      }
      const letter = { id: 'l', tenant: 'acme', state: 'open', redriven: 1, deadAt: '2026-11-26T08:00:00Z' };
      return { body: JSON.stringify({ deadLetters: [letter], next: null }) };
    });
    const shown = await page.signedIn('/');
    expect(await seen(shown.getByText('1 registro não pôde ser usado por'))).toBe(true);
  });

  it('counts for the operator of one shop of several what is of it', async () => {
    const shown = await page.signedIn('/');
    const orders = shown.getByRole('region', { name: 'Pedidos por status' });
    expect(await seen(orders.getByRole('link', { name: 'Em separação' }))).toBe(true);
    const counted = page.apps.received.map(({ url }) => url).filter((url) => url.startsWith('/api/counts'));
    expect(new Set(counted)).toEqual(new Set(['/api/counts?tenant=acme']));
  });

  it('works by keyboard: the way to an order, and a question that Escape closes', async () => {
    const shown = await page.signedIn('/orders');
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
    const shown = await page.signedIn('/orders/100001', { name: 'joao' });
    await shown.getByText('Só consulta').waitFor();
    await shown.getByRole('heading', { name: 'O que aconteceu' }).waitFor();
    expect(await shown.getByRole('button', { name: /Reler|Liberar|Retirar|Mostrar dados/ }).count()).toBe(0);
  });
});

describe('the page of sessions', () => {
  it.each([
    ['pt-BR', 'Encerrar todas', 'Encerrar todas as sessões de maria?', 'encerrou todas as sessões de alguém'],
    ['en', 'End all', 'End all sessions of maria?', 'ended all sessions of somebody'],
  ])('ends those of somebody else, who then has to sign in again, in %s', async (lang, end, title, done) => {
    const [hers, other] = [await page.signedIn('/privacy', { lang }), await page.signedIn('/privacy', { lang })];
    const shown = await page.signedIn('/signed-in', { lang, name: 'chefe', phone: true });
    await shown.emulateMedia({ colorScheme: 'dark' });
    const rows = shown.getByRole('row').filter({ has: shown.getByRole('button', { name: end }) });
    await rows.filter({ hasText: 'maria' }).first().waitFor();
    const found = { serious: await seriousOf(shown), isWider: await isWiderThanItsWindow(shown) };
    expect(found).toEqual({ serious: [], isWider: false });
    await rows.filter({ hasText: 'maria' }).first().getByRole('button', { name: end }).click();
    await shown.getByRole('dialog', { name: title }).getByRole('button', { name: end }).click();
    await rows.filter({ hasText: 'maria' }).first().waitFor({ state: 'hidden' });
    for (const ended of [hers, other]) {
      await ended.reload();
      expect(await seen(ended.getByLabel(lang === 'en' ? 'User' : 'Usuário'))).toBe(true);
    }
    await shown.goto(`${page.url}/operators`);
    await shown.getByText(done).first().waitFor();
  });
});

describe('what others wrote', () => {
  it.each(['/orders/100001', '/products/4711'])('is shown as text, cut and without effect, at %s', async (path) => {
    page.answerWith(HOSTILE);
    const shown = await page.signedIn(path);
    await shown.getByText('<img src=x onerror=').first().waitFor();
    expect(await shown.locator('main img, main script').count()).toBe(0);
    expect(await isWiderThanItsWindow(shown)).toBe(false);
    const isIsolated = await shown
      .getByText('<img src=x onerror=')
      .evaluateAll((found) => found.every((element) => element.closest('bdi, pre') !== null));
    expect(isIsolated).toBe(true);
  });
});

describe('an app that is away', () => {
  it('leaves the rest of the page as it is, and is back by itself', async () => {
    page.apps.answer((call) =>
      call.app === 'catalog-publisher' && call.url.startsWith('/api/')
        ? { status: 503, body: '{"error":{"code":"DATABASE_AWAY","message":"away"}}' }
        : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const shown = await page.signedIn('/', { name: 'chefe' });
    await shown.getByText('O banco de dados do aplicativo não responde.').first().waitFor();
    expect(await seen(shown.getByRole('link', { name: 'Em separação' }))).toBe(true);
    page.answerWith('x');
    await shown.getByText('O banco de dados do aplicativo não responde.').first().waitFor({ state: 'hidden' });
  });

  it('is said to be slow while it does not answer', async () => {
    page.apps.answer((call) =>
      call.url.startsWith('/api/orders?') ? { hangs: true, body: ' ' } : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const shown = await page.signedIn('/orders');
    expect(await seen(shown.getByRole('status').getByText('A resposta está demorando'))).toBe(true);
  });
});
