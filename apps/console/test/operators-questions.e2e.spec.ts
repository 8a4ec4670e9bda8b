/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { buildPage } from './support/built-page.ts';
import { launchChromium, type OpenedPage, openPage } from './support/chromium.ts';
import { LINK_SECRET, PASSWORD, startConsole, type TestConsole } from './support/console-app.ts';
import { type FakeApps, startFakeApps } from './support/fake-apps.ts';
import { explanation, listedProduct, product } from './support/shop-answers.ts';

const LANGUAGES = ['pt-BR', 'en'] as const;
const PHONE = { width: 360, height: 740 };
/** Breaks out of markup, runs as a script, turns the direction of what follows, and is long. */
const HOSTILE = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u202E\u2066${'ã'.repeat(10_000)}`;

type Answers = Readonly<Record<string, unknown>>;

let built: { readonly folder: string; remove(): Promise<void> };
let browser: Browser;
let apps: FakeApps;
let app: TestConsole;
let opened: OpenedPage;

beforeAll(async () => {
  built = await buildPage();
  browser = await launchChromium();
  apps = await startFakeApps();
  app = await startConsole({ apps: apps.urls, page: built.folder });
});

afterAll(async () => {
  await app?.stop();
  await apps?.stop();
  await browser?.close();
  await built?.remove();
});

beforeEach(() => {
  apps.received.length = 0;
  answerWith({});
});

afterEach(async () => {
  await opened.close();
  if (opened.faults.length > 0) throw new Error(opened.faults.join('\n'));
});

/** Every app answers: these paths as given, `app path` before `path`, and all others with an empty list. */
function answerWith(answers: Answers): void {
  apps.answer(({ app: called, url }) => {
    const { pathname } = new URL(url, 'http://app');
    return { body: JSON.stringify(answers[`${called} ${pathname}`] ?? answers[pathname] ?? EMPTY) };
  });
}

const EMPTY = {
  status: 'ready',
  checks: {},
  name: 'app',
  version: '1.0.0',
  entries: [],
  next: null,
};

function askedFor(path: string): URL[] {
  return apps.received.map(({ url }) => new URL(url, 'http://app')).filter(({ pathname }) => pathname === path);
}

/** Waits until something is seen. */
async function seen(what: Locator): Promise<boolean> {
  await what.first().waitFor();
  return true;
}

async function signedIn(path: string, options: { lang?: string; phone?: boolean; name?: string } = {}): Promise<Page> {
  const { lang = 'pt-BR', phone = false, name = 'maria' } = options;
  opened = await openPage(browser, { locale: lang, ...(phone && { viewport: PHONE }) });
  const { page } = opened;
  await page.goto(`${app.url}${path}`);
  await page.getByLabel(lang === 'en' ? 'User' : 'Usuário').fill(name);
  await page.getByLabel(lang === 'en' ? 'Password' : 'Senha').fill(PASSWORD);
  await page.getByRole('button', { name: lang === 'en' ? 'Sign in' : 'Entrar', exact: true }).click();
  await page.getByRole('link', { name: 'Gondola' }).waitFor();
  return page;
}

describe('a link that signs in', () => {
  it('leaves the address of somebody who is signed in already', async () => {
    const page = await signedIn('/products');
    await page.goto(`${app.url}/webhook`);
    await page.goto(`${app.url}/products#link=${LINK_SECRET}`);
    await page.getByRole('heading', { name: 'Produtos', level: 1 }).waitFor();
    await page.waitForURL(`${app.url}/products`);
    expect(askedFor('/session/link')).toEqual([]);
  });
});

describe('products', () => {
  it.each(LANGUAGES)('are found by a part of the name, and the address has the search (%s)', async (lang) => {
    answerWith({ '/api/products': { entries: [listedProduct({ name: 'GRANOLA 800G' })], next: null } });
    const isEnglish = lang === 'en';
    const page = await signedIn('/products', { lang, phone: true });
    await page
      .getByRole('searchbox', { name: isEnglish ? 'Reference, name or EAN' : 'Referência, nome ou EAN' })
      .click();
    await page.keyboard.type('granola');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/products?search=granola`);
    const row = page.getByRole('row', { name: /GRANOLA 800G/ });
    await row.getByText(isEnglish ? 'last record refused' : 'último registro recusado').waitFor();
    expect(askedFor('/api/products').at(-1)?.searchParams.get('search')).toBe('granola');
    await row.getByRole('link').click();
    await page.waitForURL(`${app.url}/products/4711`);
  });

  it('go on where the list ended', async () => {
    apps.answer(({ url }) => {
      const { pathname, searchParams } = new URL(url, 'http://app');
      if (pathname !== '/api/products') return { body: JSON.stringify(EMPTY) };
      const isFirst = searchParams.get('after') === null;
      const name = isFirst ? 'Arroz' : 'Feijão';
      const entry = { ...listedProduct({ name }), externalReference: name };
      return { body: JSON.stringify({ entries: [entry], next: isFirst ? 'Arroz' : null }) };
    });
    const page = await signedIn('/products');
    await page.getByRole('button', { name: 'Mostrar mais' }).click();
    await page.getByRole('link', { name: 'Feijão' }).waitFor();
    expect(await page.getByRole('link', { name: 'Arroz' }).count()).toBe(1);
  });

  it('say what to do if none is found', async () => {
    const page = await signedIn('/products?search=nada');
    expect(await seen(page.getByText('Nenhum produto com “nada”. Confira a referência no ERP'))).toBe(true);
  });

  it('show a hostile name as text', async () => {
    answerWith({ '/api/products': { entries: [listedProduct({ name: HOSTILE })], next: null } });
    const page = await signedIn('/products', { phone: true });
    await page.getByText('<img src=x onerror=').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });
});

describe('a refused product', () => {
  const TAKEN = 'O slug "arroz-branco-1kg" já pertence a outro produto. Envie outro.';
  const errors = [{ code: 'SLUG_TAKEN', field: 'slug', message: TAKEN, hint: '' }];
  const { lastEnd, ...others } = product({ name: 'Arroz' }) as { readonly lastEnd: object };
  const refused = { ...others, exists: false, lastEnd: { ...lastEnd, errors } };

  function answersOf(slugOfOther: string): Answers {
    const other = { ...listedProduct({ name: 'Arroz branco 1kg' }), externalReference: '22', exists: true };
    return {
      '/api/products': { entries: [other, { ...other, externalReference: '23', exists: false }], next: null },
      '/api/products/4711': refused,
      '/api/products/4711/explanation': explanation({ name: TAKEN }),
      '/api/products/22': {
        ...product({ name: '' }),
        externalReference: '22',
        applied: { product: { slug: slugOfOther }, skus: {} },
      },
    };
  }

  it.each(LANGUAGES)('says why, whose slug it has, and what the ERP must change (%s)', async (lang) => {
    answerWith(answersOf('arroz-branco-1kg'));
    const page = await signedIn('/products/4711', { lang });
    const isEnglish = lang === 'en';
    const last = page.getByRole('region', { name: isEnglish ? 'Last record' : 'Último registro' });
    await last.getByText(isEnglish ? 'What the ERP must correct' : 'O que o ERP precisa corrigir').waitFor();
    await last.getByText(TAKEN).waitFor();
    await last.getByText(isEnglish ? 'has this slug in the shop' : 'tem este slug na loja').waitFor();
    await last.getByRole('link', { name: '22' }).click();
    expect(await seen(page.getByRole('heading', { name: /22$/, level: 1 }))).toBe(true);
  });

  it('says that no product of the ERP has the slug', async () => {
    answerWith(answersOf('another'));
    const page = await signedIn('/products/4711');
    await page.getByText('ele é de um produto cadastrado direto na loja').waitFor();
    expect(
      askedFor('/api/products').some(({ searchParams }) => searchParams.get('search') === 'arroz branco 1kg'),
    ).toBe(true);
  });
});
