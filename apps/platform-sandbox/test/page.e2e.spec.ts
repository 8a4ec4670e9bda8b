import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, type OpenedPage, openPage } from '@gondola/local-stack/testing/chromium';
import { waitFor } from '@gondola/local-stack/wait-for';
import { buildPage } from '@gondola/web-kit/testing/built-page';
import { isWiderThanItsWindow, otherHostsOf, seen, seriousOf } from '@gondola/web-kit/testing/page-checks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import { Merchant, Shop } from './support/shop.ts';

const PATHS = ['/', '/orders', '/sent', '/calls', '/faults', '/behaviour', '/settings'];
const PHONE = { width: 390, height: 844 };
const MOST_INITIAL_BYTES = 150_000;
const TOKEN = 'the-operations-token-of-this-test';

let built: Awaited<ReturnType<typeof buildPage>>;
let browser: Browser;
let shop: Shop;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  built = await buildPage(join(import.meta.dirname, '..'));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await built?.remove();
});

beforeEach(async () => {
  shop = await Shop.open({}, undefined, built.folder);
});

afterEach(async () => {
  const closed = opened.splice(0);
  for (const page of closed) await page.close();
  await shop.close();
  const faults = closed.flatMap((page) => page.faults);
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

async function open(path: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await openPage(browser, options);
  opened.push(page);
  await page.page.goto(`${shop.url}${path}`);
  return page.page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('the page', () => {
  it('loads at most 150 kB of compressed JavaScript at first, and names no other host', async () => {
    const page = await open('/health/live');
    const loaded = new Set<string>();
    page.on('request', (request) => loaded.add(new URL(request.url()).pathname));
    await page.goto(shop.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const scripts = [...loaded].filter((path) => path.endsWith('.js'));
    const sizes = await Promise.all(scripts.map(async (path) => (await stat(join(built.folder, `${path}.br`))).size));
    expect(scripts.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_INITIAL_BYTES);
    const { headers } = await fetch(`${shop.url}${scripts[0]}`, { headers: { 'accept-encoding': 'br' } });
    expect(headers.get('content-encoding')).toBe('br');
    expect(await otherHostsOf(built.folder)).toEqual([]);
    expect(await readFile(join(built.folder, 'index.html'), 'utf8')).toContain('lang="pt-BR"');
  });

  it('is what a folder of it shows a browser, and nothing to a program', async () => {
    const [browserAnswer, programAnswer] = await Promise.all(
      ['text/html', '*/*'].map((accept) => fetch(`${shop.url}/assets`, { headers: { accept } })),
    );
    expect(browserAnswer?.status).toBe(200);
    expect(programAnswer?.status).toBe(404);
  });

  it('leads from an empty sandbox to a shop with a shelf', async () => {
    const page = await open('/');
    await button(page, 'Criar exemplos').click();
    expect(await seen(button(page, /^Adicionar /))).toBe(true);
  });

  it('asks once for the operations token', async () => {
    await shop.close();
    shop = await Shop.open({ OPERATIONS_TOKEN: TOKEN }, undefined, built.folder);
    const page = await open('/');
    await page.getByLabel('Token de operação').fill(TOKEN);
    await button(page, 'Entrar').click();
    await button(page, 'Criar exemplos').waitFor();
    await page.reload();
    expect(await seen(button(page, 'Criar exemplos'))).toBe(true);
  });

  it.each([
    ['pt-BR', 'light'],
    ['en', 'dark'],
  ] as const)('has nothing serious that axe finds, on a phone, in %s and %s', async (locale, colorScheme) => {
    const merchant = await shop.stockedMerchant();
    const { number } = await shop.buy(merchant);
    await shop.load(merchant, [productItem({ externalReference: 'hidden', slug: 'hidden', displayInSite: false })]);
    await shop.call('POST', '/v1/batch/Nothing', { body: {}, headers: merchant.headers });
    await shop.admin('POST', '/faults', [{ kind: 'webhook-double', times: 1 }]);
    const page = await open('/', { locale, colorScheme, viewport: PHONE });
    for (const path of [...PATHS, `/orders/${number}`]) {
      await page.goto(`${shop.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const found = { path, serious: await seriousOf(page), isWider: await isWiderThanItsWindow(page) };
      expect(found).toEqual({ path, serious: [], isWider: false });
    }
  });

  it('is in the language of the browser, and in the other one by the switch', async () => {
    const page = await open('/orders', { locale: 'en' });
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await page.getByLabel('Language').selectOption('pt-BR');
    expect(await seen(page.getByRole('heading', { name: 'Pedidos', level: 1 }))).toBe(true);
  });
});

describe('the shelf', () => {
  it('sells what is in the basket, and the notification of it can be read and sent again', async () => {
    await shop.stockedMerchant();
    const page = await open('/');
    await button(page, 'Adicionar Queijo Minas Frescal').click();
    await button(page, /^Mais um de /).click();
    await page.getByText('200 g').waitFor();
    await button(page, 'Comprar').click();
    await page.getByRole('link', { name: /^Pedido \d+ criado/ }).click();
    await page.getByRole('heading', { name: /^Pedido \d+$/, level: 1 }).waitFor();
    await page.getByText('entregue').first().waitFor();
    await page.getByText('Ver o corpo').first().click();
    await page.getByText('"eventType": "Order_Updated"').first().waitFor();
    const before = shop.receiver.received.length;
    await button(page, 'Enviar de novo').first().click();
    await waitFor(() => shop.receiver.received.length > before, { describe: 'the notification to come again' });
    const [last, again] = shop.receiver.received.slice(-2).map(({ bytes }) => bytes.toString('utf8'));
    expect(again).toBe(last);
  });

  it('sells by keyboard alone', async () => {
    await shop.stockedMerchant();
    const page = await open('/');
    await button(page, /^Adicionar /).waitFor();
    const tabTo = async (name: string) => {
      do await page.keyboard.press('Tab');
      while ((await page.locator(':focus').textContent()) !== name);
      await page.keyboard.press('Enter');
    };
    await tabTo('Ir para o conteúdo');
    await tabTo('Adicionar');
    await tabTo('Comprar');
    expect(await seen(page.getByRole('link', { name: /^Pedido \d+ criado/ }))).toBe(true);
  });

  it('lists apart what no shopper sees, and why', async () => {
    const merchant = await shop.stockedMerchant();
    const hidden = { externalReference: '1', name: 'Quinoa', slug: 'quinoa', displayInSite: false };
    await shop.load(merchant, [productItem({ ...hidden, skus: [unitSkuItem()] })]);
    const page = await open('/');
    const apart = page.getByRole('region', { name: 'O que o cliente não vê' });
    await apart.getByText('O produto não é mostrado no site').waitFor();
    expect(await button(page, 'Adicionar Quinoa').count()).toBe(0);
  });

  it('shows a product that the ERP sends by itself, with its picture, price and step', async () => {
    const merchant = await shop.merchant();
    const page = await open('/');
    await page.getByText('A prateleira está vazia').waitFor();
    await shop.load(merchant, [productItem({ skus: [skuItem()] })]);
    await button(page, 'Adicionar Queijo Minas Frescal').waitFor();
    expect(await seen(page.getByText('vendido de 100 g em 100 g'))).toBe(true);
  });
});

describe('an order', () => {
  it('gets its payment, its picked weights and its status by buttons, and says what became of each', async () => {
    const merchant = await shop.stockedMerchant();
    const { number } = await shop.buy(merchant, { payment: 'pending' });
    const page = await open(`/orders/${number}`);
    await button(page, 'Aprovar o pagamento').click();
    await page.getByRole('listitem').getByText('300 · Pagamento aprovado').first().waitFor();
    await button(page, '400 · Em separação').click();
    await page.getByText('Feita', { exact: true }).waitFor();
    await page.getByLabel(/^Queijo Minas Frescal/).fill('0,298');
    await button(page, 'Informar a separação').click();
    await page.getByText('298 g ×').waitFor();
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 400, 1300]);
  });

  it('is cancelled by its shopper only after a question, and not when it is shipped', async () => {
    const merchant = await shop.stockedMerchant();
    const { number } = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${number}/status`, { status: 600 });
    const page = await open(`/orders/${number}`);
    await button(page, 'Cancelar o pedido').click();
    await page.getByText('o receptor recebe Order_CancelFailed').waitFor();
    await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await button(page, 'Cancelar o pedido').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar o pedido' }).click();
    await page.getByText('Recusada', { exact: true }).waitFor();
    expect(shop.envelopesOf(merchant, 'Order_CancelFailed').length).toBe(1);
  });
});

describe('notifications sent', () => {
  it('wait while sending is switched off, and go when it is on again', async () => {
    const merchant = await shop.stockedMerchant();
    const page = await open('/sent');
    await page.getByRole('switch', { name: 'Enviar avisos ao receptor' }).click();
    await page.getByText('Envio pausado').waitFor();
    const { number } = await shop.buy(merchant);
    await page.getByRole('listitem').getByText('na fila', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Enviar avisos ao receptor' }).click();
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300]);
  });

  it('show each answer of a receiver, and those that were given up', async () => {
    const merchant = await shop.stockedMerchant();
    shop.receiver.answering = () => 503;
    await shop.buy(merchant);
    const page = await open('/sent?state=dead');
    await page.getByText('3ª tentativa').waitFor();
    expect(await page.getByText('o receptor respondeu 503').count()).toBe(3);
  });

  it('say how to register a receiver, and register one', async () => {
    const { contractAccountId, username, apiKey } = new Merchant();
    await shop.admin('POST', '/tenants', { contractAccountId, username, password: 'erp', apiKey });
    const page = await open('/sent');
    await page.getByLabel('Endereço do receptor').fill(shop.receiver.url);
    await button(page, 'Registrar').click();
    expect(await seen(page.getByText('eventos assinados'))).toBe(true);
  });
});

describe('calls received', () => {
  it('show the reason of a refusal, and what became of an accepted one', async () => {
    const merchant = await shop.stockedMerchant();
    await shop.load(merchant, [{ externalReference: 'without-a-name' }]);
    await shop.call('POST', '/v1/Webhooks', { body: {}, headers: merchant.headers });
    const page = await open('/calls');
    const refused = page.getByRole('listitem').filter({ hasText: '/v1/Webhooks' }).first();
    await refused.getByText('originType').first().waitFor();
    const accepted = page.getByRole('listitem').filter({ hasText: '/v1/batch/Products' }).first();
    expect(await seen(accepted.getByText('Recusada', { exact: true }))).toBe(true);
  });
});

describe('a fault', () => {
  it('says what it does, is switched on with an aim, counts, and is switched off', async () => {
    const merchant = await shop.stockedMerchant();
    const page = await open('/faults');
    await page.getByText('O mesmo aviso é entregue duas vezes').waitFor();
    await page.getByLabel('No máximo quantas vezes').fill('1');
    const double = page.getByRole('switch', { name: /^Aviso em dobro/ });
    await double.click();
    await page.getByRole('heading', { name: '1 falha ligada' }).waitFor();
    const { number } = await shop.buy(merchant);
    await page.getByText('agiu 1 de 1 vezes').waitFor();
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 300]);
    await double.click();
    await page.getByRole('heading', { name: '1 falha ligada' }).waitFor({ state: 'hidden' });
    expect(await shop.admin('GET', '/faults')).toEqual([]);
  });
});

describe('the sandbox', () => {
  it('behaves otherwise by a switch, which goes back to its default', async () => {
    const page = await open('/behaviour');
    await page.getByLabel('transitions').selectOption('strict');
    await button(page, 'Voltar ao padrão ("lenient")').click();
    await button(page, 'Voltar ao padrão ("lenient")').waitFor({ state: 'hidden' });
    expect(await shop.admin('GET', '/switches')).toMatchObject({ transitions: 'lenient' });
  });

  it('lets time pass, and forgets everything only after a question', async () => {
    await shop.stockedMerchant();
    const page = await open('/settings');
    await button(page, '+ 1 hora').click();
    await page.getByText('adiantado').waitFor();
    await button(page, 'Apagar tudo').click();
    await page.getByText('Isto não volta').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Apagar tudo' }).click();
    await page.getByText('Nenhuma loja ainda.').waitFor();
    expect(await shop.admin('GET', '/tenants')).toEqual([]);
  });
});
