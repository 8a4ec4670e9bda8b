/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { isWiderThanItsWindow, seen, seriousOf } from '@gondola/web-kit/testing/page-checks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LINK_SECRET } from './support/console-app.ts';
import { answerTo, explanation, listedProduct, order, orderEntry, product, today } from './support/shop-answers.ts';
import { HOSTILE, startTestPage, type TestPage } from './support/test-page.ts';

const LANGUAGES = ['pt-BR', 'en'] as const;

let test: TestPage;

beforeAll(async () => {
  test = await startTestPage();
});

afterAll(() => test?.stop());

beforeEach(() => {
  test.apps.received.length = 0;
  answerWith({});
});

afterEach(() => test.close());

/** The apps answer these paths as given, or `app path`, and all others as ever. */
function answerWith(answers: Readonly<Record<string, unknown>>): void {
  test.apps.answer((call) => {
    const { pathname } = new URL(call.url, 'http://app');
    const body = answers[`${call.app} ${pathname}`] ?? answers[pathname] ?? answerTo(call, 'Queijo Minas Frescal');
    return { body: JSON.stringify(body) };
  });
}

function askedFor(path: string): URL[] {
  return test.apps.received.map(({ url }) => new URL(url, 'http://app')).filter(({ pathname }) => pathname === path);
}

function thisHour(): string {
  return new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
}

describe('a link that signs in', () => {
  it('leaves the address of somebody who is signed in already', async () => {
    const page = await test.signedIn('/products');
    await page.goto(`${test.url}/webhook`);
    await page.goto(`${test.url}/products#link=${LINK_SECRET}`);
    await page.getByRole('heading', { name: 'Produtos', level: 1 }).waitFor();
    await page.waitForURL(`${test.url}/products`);
    expect(askedFor('/session/link')).toEqual([]);
  });
});

describe('products', () => {
  it.each(LANGUAGES)('are found by a part of the name, and the address has the search (%s)', async (lang) => {
    answerWith({ '/api/products': { entries: [listedProduct({ name: 'GRANOLA 800G' })], next: null } });
    const isEnglish = lang === 'en';
    const page = await test.signedIn('/products', { lang, phone: true });
    await page
      .getByRole('searchbox', { name: isEnglish ? 'Reference, name or EAN' : 'Referência, nome ou EAN' })
      .click();
    await page.keyboard.type('granola');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${test.url}/products?search=granola`);
    const row = page.getByRole('row', { name: /GRANOLA 800G/ });
    await row.getByText(isEnglish ? 'last record refused' : 'último registro recusado').waitFor();
    expect(askedFor('/api/products').at(-1)?.searchParams.get('search')).toBe('granola');
    await row.getByRole('link').click();
    await page.waitForURL(`${test.url}/products/4711`);
  });

  it('go on where the list ended', async () => {
    test.apps.answer((call) => {
      const { pathname, searchParams } = new URL(call.url, 'http://app');
      if (pathname !== '/api/products') return { body: JSON.stringify(answerTo(call, 'x')) };
      const isFirst = searchParams.get('after') === null;
      const name = isFirst ? 'Arroz' : 'Feijão';
      const entry = { ...listedProduct({ name }), externalReference: name };
      return { body: JSON.stringify({ entries: [entry], next: isFirst ? 'Arroz' : null }) };
    });
    const page = await test.signedIn('/products');
    await page.getByRole('button', { name: 'Mostrar mais' }).click();
    await page.getByRole('link', { name: 'Feijão' }).waitFor();
    expect(await page.getByRole('link', { name: 'Arroz' }).count()).toBe(1);
  });

  it('are said to be slow while the app does not answer', async () => {
    test.apps.answer((call) =>
      call.url.startsWith('/api/products?')
        ? { hangs: true, body: ' ' }
        : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const page = await test.signedIn('/products');
    expect(await seen(page.getByRole('status').getByText('A resposta está demorando'))).toBe(true);
  });

  it('say what to do if none is found', async () => {
    answerWith({ '/api/products': { entries: [], next: null } });
    const page = await test.signedIn('/products?search=nada');
    expect(await seen(page.getByText('Nenhum produto com “nada”. Confira a referência no ERP'))).toBe(true);
  });

  it('show a hostile name as text', async () => {
    answerWith({ '/api/products': { entries: [listedProduct({ name: HOSTILE })], next: null } });
    const page = await test.signedIn('/products', { phone: true });
    await page.getByText('<img src=x onerror=').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await isWiderThanItsWindow(page)).toBe(false);
  });
});

describe('a product', () => {
  it.each(LANGUAGES)('shows price and stock of each SKU, and every record with its outcome (%s)', async (lang) => {
    const [sku, records, refused, none] =
      lang === 'en'
        ? ['SKUs', 'Every record', 'refused by the platform', 'none came']
        : ['SKUs', 'Todos os registros', 'recusado pela plataforma', 'nenhum veio'];
    const page = await test.signedIn('/products/4711', { lang, phone: true });
    const row = page.getByRole('region', { name: sku }).getByRole('row', { name: '4711-1' });
    await row.getByRole('cell', { name: 'salePrice 39.90' }).waitFor();
    await row.getByRole('cell', { name: none, exact: true }).waitFor();
    const ended = page.getByRole('region', { name: records }).getByRole('row', { name: '4711-1' });
    await ended.getByText(refused).waitFor();
    expect(await isWiderThanItsWindow(page)).toBe(false);
  });
});

describe('a refused product', () => {
  const TAKEN = 'O slug "arroz-branco-1kg" já pertence a outro produto. Envie outro.';
  const errors = [{ code: 'SLUG_TAKEN', field: 'slug', message: TAKEN, hint: '' }];
  const { lastEnd, ...others } = product({ name: 'Arroz' }) as { readonly lastEnd: object };
  const refused = { ...others, exists: false, lastEnd: { ...lastEnd, errors } };

  function answersOf(slugOfOther: string): Readonly<Record<string, unknown>> {
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
    const page = await test.signedIn('/products/4711', { lang });
    const isEnglish = lang === 'en';
    const last = page.getByRole('region', { name: isEnglish ? 'Last record' : 'Último registro' });
    await last.getByText(isEnglish ? 'What the ERP must correct' : 'O que o ERP precisa corrigir').waitFor();
    await last.getByText(TAKEN).waitFor();
    await last.getByText(isEnglish ? 'has this slug in the shop' : 'tem este slug na loja').waitFor();
    expect(await last.getByRole('link', { name: '22' }).getAttribute('href')).toBe('/products/22');
  });

  it('says that no product of the ERP has the slug', async () => {
    answerWith(answersOf('another'));
    const page = await test.signedIn('/products/4711');
    await page.getByText('ele é de um produto cadastrado direto na loja').waitFor();
    expect(
      askedFor('/api/products').some(({ searchParams }) => searchParams.get('search') === 'arroz branco 1kg'),
    ).toBe(true);
  });
});

describe('today', () => {
  it.each(LANGUAGES)('says how many webhooks came twice, in words and in a table (%s)', async (lang) => {
    const hour = { hour: thisHour(), tenant: 'acme' };
    const stored = { ...hour, outcome: 'stored', deliveries: 1_083 };
    answerWith({ '/api/deliveries/hours': { hours: [stored, { ...hour, outcome: 'repeated', deliveries: 5 }] } });
    const isEnglish = lang === 'en';
    const page = await test.signedIn('/', { lang });
    const title = isEnglish ? 'Notices of the platform by hour' : 'Avisos da plataforma por hora';
    const card = page.getByRole('region', { name: title });
    const sentence = isEnglish ? '1,088 notices arrived; 5 came twice' : 'chegaram 1.088 avisos; 5 vieram repetidos';
    await card.getByRole('img', { name: sentence }).locator('canvas').waitFor();
    await card.getByText(isEnglish ? 'Show as a table' : 'Ver em tabela').click();
    const cells = await card.getByRole('row').last().getByRole('cell').allTextContents();
    expect(cells.slice(1)).toEqual([isEnglish ? '1,088' : '1.088', '5', '0']);
  });

  it('names what the platform does not answer, since when, and who acts', async () => {
    const pause = { tenant: 'acme', route: null, cause: 'credentials', since: '2026-11-26T08:00:00Z' };
    answerWith({ '/api/today': { ...today(), pauses: [{ ...pause, until: '2026-11-26T08:01:00Z' }] } });
    const page = await test.signedIn('/', { phone: true });
    const matter = page.getByRole('listitem').filter({ hasText: 'a plataforma recusa as credenciais desta loja' });
    await matter.getByText('Quem age: a equipe técnica').waitFor();
    expect(await matter.count()).toBe(1);
  });

  it.each(LANGUAGES)(
    'shows each pause with its replica, and ends it for who may act, on a dark phone (%s)',
    async (lang) => {
      const times = { since: '2026-11-26T08:00:00Z', until: '2026-11-27T08:00:00Z' };
      const pause = { tenant: 'acme', route: null, cause: 'throttled', ...times, replica: 'orders-1.42.ab12' };
      answerWith({
        'order-command-handler /api/pauses': { entries: [pause] },
        'catalog-publisher /api/pauses': { entries: [{ ...pause, route: HOSTILE }] },
        'order-command-handler /api/pauses/end': { ended: [pause] },
      });
      const isEnglish = lang === 'en';
      const page = await test.signedIn('/', { lang, phone: true });
      await page.emulateMedia({ colorScheme: 'dark' });
      const card = page.getByRole('region', { name: isEnglish ? 'Waiting' : 'À espera' });
      await card.getByText('orders-1.42.ab12').first().waitFor();
      expect([await isWiderThanItsWindow(page), await seriousOf(page)]).toEqual([false, []]);
      const label = isEnglish ? 'End the pause' : 'Encerrar a pausa';
      await card.getByRole('button', { name: label }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: label }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const ended = test.apps.received.filter(({ url }) => url === '/api/pauses/end');
      expect(ended).toMatchObject([{ app: 'order-command-handler', method: 'POST' }]);
    },
  );

  it('names what the ERP must correct, and leads there', async () => {
    const at = '2026-11-26T08:00:00Z';
    const group = { count: 2, isMore: false, oldestAt: at, newestAt: at, reason: 'SLUG_TAKEN', field: 'slug' };
    const none = { entries: [], next: null };
    answerWith({ '/api/orders': none, 'catalog-publisher /api/rejections/groups': { groups: [group] } });
    const page = await test.signedIn('/');
    await page.getByRole('heading', { name: '1 assunto precisa de alguém' }).waitFor();
    const link = page.getByRole('link', { name: '2 registros do catálogo não entraram na loja' });
    expect(await link.getAttribute('href')).toBe('/loads#rejections');
  });

  it('says what waits, how much, and since when', async () => {
    const queue = { tenant: 'acme', kind: 'price', count: 10_000, isMore: true, oldestAt: '2026-11-26T08:00:00Z' };
    const outbox = { waiting: 7, oldestAt: '2026-11-26T08:00:00Z', parked: 0, refused: [] };
    answerWith({ 'catalog-publisher /api/today': { ...today(), queues: [queue], outbox } });
    const page = await test.signedIn('/');
    const card = page.getByRole('region', { name: 'À espera' });
    await card.getByText('Preços').waitFor();
    await card.getByText('> 10.000').waitFor();
    expect(await seen(card.getByText('Catálogo: envio ao Kafka'))).toBe(true);
  });

  it.each(LANGUAGES)('has nothing serious that axe finds while much is amiss, on a dark phone (%s)', async (lang) => {
    const at = '2026-11-26T08:00:00Z';
    const queue = { tenant: 'acme', kind: HOSTILE, count: 3, isMore: false, oldestAt: at };
    const pause = { tenant: 'acme', route: HOSTILE, cause: 'throttled', since: at, until: at };
    answerWith({
      '/api/today': {
        queues: [queue],
        stuck: [],
        outbox: { waiting: 7, oldestAt: at, parked: 2, refused: [] },
        pauses: [pause],
      },
      '/api/deliveries/hours': { hours: [{ hour: thisHour(), tenant: 'acme', outcome: 'not-stored', deliveries: 5 }] },
    });
    const page = await test.signedIn('/', { lang, phone: true });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('canvas').waitFor();
    await page.getByText(lang === 'en' ? 'Show as a table' : 'Ver em tabela').click();
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(await isWiderThanItsWindow(page)).toBe(false);
    expect(await seriousOf(page)).toEqual([]);
  });

  it('shows the rest while an app is away', async () => {
    const away = { status: 503, body: '{"error":{"code":"DATABASE_AWAY","message":"away"}}' };
    test.apps.answer((call) =>
      call.app === 'webhook-ingest' && call.url.startsWith('/api/')
        ? away
        : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const page = await test.signedIn('/', { name: 'chefe' });
    const card = page.getByRole('region', { name: 'Avisos da plataforma por hora' });
    await card.getByText('O banco de dados do aplicativo não responde.').waitFor();
    await page.getByText('Pode haver mais: Recebimento de avisos não respondeu agora.').waitFor();
    expect(await seen(page.getByRole('link', { name: 'Em separação' }))).toBe(true);
  });
});

function entryOf(number: string): object {
  return { ...orderEntry(), orderNumber: number, id: number };
}

describe('orders', () => {
  it('are filtered by number, day, status and attention, and the address has it all', async () => {
    const page = await test.signedIn('/orders');
    await page.getByRole('searchbox', { name: 'Número do pedido' }).fill('1000');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('400');
    await page.getByLabel('Neste status desde o dia').fill('2026-11-25');
    await page.getByLabel('até o dia').fill('2026-11-26');
    const asked = page.waitForRequest(/\/api\/orders\?.*attention=true/);
    await page.getByLabel('Só os que precisam de atenção').check();
    const query = Object.fromEntries(new URL((await asked).url()).searchParams);
    // The browser is in São Paulo.
    expect(query).toEqual({
      tenant: 'acme',
      number: '1000',
      status: '400',
      attention: 'true',
      from: '2026-11-25T03:00:00.000Z',
      to: '2026-11-27T03:00:00.000Z',
      limit: '50',
    });
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()].toSorted()).toEqual(['attention', 'from', 'number', 'status', 'to']);
  });

  it('of all shops name their shop, and lead to it', async () => {
    answerWith({ '/api/orders': { entries: [{ ...entryOf('7'), tenant: 'norte' }], next: null } });
    const page = await test.signedIn('/orders', { name: 'chefe' });
    await page.getByLabel('Todas as lojas').check();
    await page.getByRole('row', { name: 'norte' }).getByRole('link', { name: '7' }).click();
    await page.waitForURL(`${test.url}/orders/7?shop=norte`);
    expect(askedFor('/api/orders').some(({ searchParams }) => !searchParams.has('tenant'))).toBe(true);
  });

  it.each(LANGUAGES)('are downloaded as CSV to the last page of what the filters find (%s)', async (lang) => {
    test.apps.answer((call) => {
      const { pathname, searchParams } = new URL(call.url, 'http://app');
      if (pathname !== '/api/orders') return { body: JSON.stringify(answerTo(call, 'x')) };
      const isFirst = searchParams.get('before') === null;
      return { body: JSON.stringify({ entries: [entryOf(isFirst ? '2' : '1')], next: isFirst ? '2' : null }) };
    });
    const page = await test.signedIn('/orders?status=400', { lang });
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: lang === 'en' ? 'Download CSV' : 'Baixar CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(lines.map((line) => line.split(';')[0])).toEqual([lang === 'en' ? 'Order' : 'Pedido', '2', '1']);
    expect(lines[1]).toContain(lang === 'en' ? 'the ERP' : 'o ERP');
    const limits = askedFor('/api/orders').map(({ searchParams }) => searchParams.get('limit'));
    expect(limits.filter((limit) => limit === '200')).toHaveLength(2);
  });

  it('can be stopped while they are downloaded slowly', async () => {
    test.apps.answer((call) =>
      call.url.includes('limit=200') ? { hangs: true, body: ' ' } : { body: JSON.stringify(answerTo(call, 'x')) },
    );
    const page = await test.signedIn('/orders');
    await page.getByRole('button', { name: 'Baixar CSV' }).click();
    await page.getByRole('status').getByText('Baixando: 0 linha').waitFor();
    await page.getByRole('button', { name: 'Parar' }).click();
    expect(await seen(page.getByRole('button', { name: 'Baixar CSV' }))).toBe(true);
  });
});

describe('an order', () => {
  const status = { code: 1_300, name: 'OrderUpdated' };
  const recalculated = {
    at: '2026-11-26T11:05:00Z',
    kind: 'fact',
    source: 'notification',
    eventType: 'Order_Updated',
    operationId: 'op-1',
    status,
    error: null,
  };
  const event = { at: '2026-11-26T11:06:00Z', kind: 'event', type: 'ItemsRecalculated', revision: 2, status: null };
  const picked = { ...order({ name: 'Queijo' }), timeline: [recalculated, event] };

  it.each(LANGUAGES)('says what the customer pays for what was picked, and that the ERP has it (%s)', async (lang) => {
    answerWith({ '/api/orders/100001': picked });
    const isEnglish = lang === 'en';
    const page = await test.signedIn('/orders/100001', { lang, phone: true });
    const items = page.getByRole('region', { name: isEnglish ? 'Items' : 'Itens' });
    const cells = await items.getByRole('row', { name: 'Queijo' }).getByRole('cell').allInnerTexts();
    const [, asked, paid] = cells.map((cell) => cell.replaceAll(/\s+/g, ' '));
    expect(asked).toBe(
      isEnglish ? 'about 0.3 kg picked: 0.312 kg, by the amount' : 'cerca de 0,3 kg separado: 0,312 kg, pelo valor',
    );
    expect(paid).toBe(isEnglish ? 'R$12.45' : 'R$ 12,45');
    expect(await seen(items.getByText(isEnglish ? 'with event 2, at' : 'no aviso nº 2, às'))).toBe(true);
  });

  it('leads from a line of its timeline to the bytes of the notice', async () => {
    answerWith({ '/api/orders/100001': picked });
    const page = await test.signedIn('/orders/100001');
    await page.getByText('A plataforma avisou: Valores recalculados').click();
    await page.getByText('"eventType": "Order_Updated"').waitFor();
    const link = page.getByRole('link', { name: 'Ver o aviso da plataforma' });
    expect(await link.getAttribute('href')).toBe('/notifications?operation=op-1');
  });

  it('says what the PDF of its invoice waits for, and shows where it is in the shop', async () => {
    const open = { commandId: 'c/pdf', command: 'UploadInvoicePdf', receivedAt: '2026-11-26T11:05:00Z' };
    const url = 'https://shop.example/danfe.pdf';
    answerWith({
      '/api/orders/100001': { ...picked, openSteps: { ...picked.openSteps, registeredAt: '2026-11-26T11:05:00Z' } },
      '/api/orders/100001/invoice': { openCommands: [{ ...open, blocked: 'throttled', waitingSince: null }] },
      'file-gateway /api/commands': { tenant: 'acme', commandId: 'c' },
    });
    const page = await test.signedIn('/orders/100001');
    const card = page.getByRole('region', { name: 'Nota fiscal' });
    await card.getByText('A nota foi registrada, mas o PDF ainda falta.').waitFor();
    await card.getByText('ainda não pôde ser enviado: throttled').waitFor();
    test.apps.answer((call) => ({
      body: JSON.stringify(
        call.app === 'file-gateway' && call.url.startsWith('/api/commands/')
          ? { result: { outcome: 'applied', data: { attached: true, urls: [url, 'javascript:alert(1)'] } } }
          : answerTo(call, 'x'),
      ),
    }));
    await card.getByRole('button', { name: 'Procurar o PDF na loja' }).click();
    await card.getByText('javascript:alert(1)').waitFor();
    const links = card.getByRole('link');
    expect([await links.count(), await links.getAttribute('href')]).toEqual([1, url]);
  });
});

describe('pictures and files', () => {
  const PICTURE = { name: 'queijo.png', mimeType: 'image/png', buffer: Buffer.from('\u0089PNG') };
  const PDF = { name: 'danfe.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  const result = { outcome: 'invalid', errors: [{ code: 'NOT_IMAGE', message: 'A imagem está cortada.' }] };

  /** The app stores each upload under the number of its arrival; a command has this result. */
  function storeUploads(refused?: { readonly status: number; readonly message: string }): void {
    let stored = 0;
    test.apps.answer((call) => {
      const { pathname } = new URL(call.url, 'http://app');
      if (pathname === '/api/uploads' && refused !== undefined) {
        return {
          status: refused.status,
          body: JSON.stringify({ error: { code: 'REFUSED', message: refused.message } }),
        };
      }
      if (pathname === '/api/uploads') {
        stored += 1;
        const mediaType = call.headers['content-type'];
        const upload = { uploadId: `u-${stored}`, sha256: '', size: 4, mediaType, expiresAt: '2026-12-03T11:00:00Z' };
        return { status: 201, body: JSON.stringify(upload) };
      }
      if (pathname.startsWith('/api/commands/')) return { body: JSON.stringify({ result }) };
      if (pathname === '/api/commands') return { status: 202, body: '{"tenant":"acme","commandId":"c"}' };
      return { body: JSON.stringify(answerTo(call, 'x')) };
    });
  }

  it.each(LANGUAGES)('go to the shop in their order, and a refusal says why (%s)', async (lang) => {
    storeUploads();
    const isEnglish = lang === 'en';
    const page = await test.signedIn('/files/4711-1', { lang, phone: true });
    const card = page.getByRole('region', { name: isEnglish ? 'Send pictures' : 'Enviar fotos' });
    await card
      .getByLabel(isEnglish ? 'choose files' : 'escolha arquivos')
      .setInputFiles([PICTURE, { ...PICTURE, name: 'lado.png' }]);
    const publish = isEnglish ? 'Publish in the shop' : 'Publicar na loja';
    await card
      .getByText(isEnglish ? 'stored' : 'guardado', { exact: true })
      .nth(1)
      .waitFor();
    await card.getByRole('button', { name: publish }).click();
    const dialog = page.getByRole('dialog', {
      name: isEnglish ? 'Publish 2 pictures of SKU 4711-1?' : 'Publicar 2 fotos do SKU 4711-1?',
    });
    await dialog.getByRole('button', { name: publish }).click();
    await card.getByText('A imagem está cortada.').waitFor();
    const command = test.apps.received.find(({ method, url }) => method === 'POST' && url === '/api/commands');
    expect(JSON.parse(command?.body ?? '{}')).toMatchObject({
      command: 'PublishSkuImages',
      tenant: 'acme',
      skuExternalReference: '4711-1',
      images: [
        { order: 1, content: { uploadId: 'u-1' } },
        { order: 2, content: { uploadId: 'u-2' } },
      ],
      replace: false,
    });
  });

  it('are taken by drag and drop; a file of another type is named and not sent', async () => {
    storeUploads();
    const page = await test.signedIn('/files');
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['%PDF-1.7'], 'danfe.pdf', { type: 'application/pdf' }));
      transfer.items.add(new File(['<nfeProc/>'], '<img src=x onerror=alert(1)>.xml', { type: 'text/xml' }));
      return transfer;
    });
    await page.getByText('Solte aqui os arquivos, ou').dispatchEvent('drop', { dataTransfer: dropped });
    await page
      .getByRole('alert')
      .getByText('O arquivo <img src=x onerror=alert(1)>.xml não é de um tipo aceito')
      .waitFor();
    await page.getByText('u-1', { exact: true }).waitFor();
    expect(await seen(page.getByText('O ERP anexa o PDF com AttachInvoicePdf'))).toBe(true);
    expect(askedFor('/api/uploads').map(({ search }) => search)).toEqual(['?tenant=acme']);
  });

  it.each([
    [413, 'too large', 'O arquivo é maior do que o Gondola aceita.'],
    [415, 'Envie o DANFE em PDF.', 'Envie o DANFE em PDF.'],
    [507, 'no room', 'Não há mais espaço para arquivos desta loja.'],
  ])('that the app refuses with %i are said to be so in a sentence', async (status, message, sentence) => {
    storeUploads({ status, message });
    const page = await test.signedIn('/files');
    await page.getByLabel('escolha arquivos').setInputFiles(PDF);
    expect(await seen(page.getByRole('alert').getByText(sentence))).toBe(true);
  });

  it.each(LANGUAGES)('have nothing serious that axe finds while they are sent, on a phone (%s)', async (lang) => {
    storeUploads();
    const isEnglish = lang === 'en';
    const page = await test.signedIn('/files/4711-1', { lang, phone: true });
    const long = { ...PICTURE, name: `${'queijo-minas-frescal-'.repeat(9)}.png` };
    await page.getByLabel(isEnglish ? 'choose files' : 'escolha arquivos').setInputFiles([long, PDF]);
    await page.getByText(isEnglish ? 'stored' : 'guardado', { exact: true }).waitFor();
    expect(await seriousOf(page)).toEqual([]);
    expect(await isWiderThanItsWindow(page)).toBe(false);
    await page.getByRole('button', { name: isEnglish ? 'Publish in the shop' : 'Publicar na loja' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await seriousOf(page)).toEqual([]);
  });

  it('are sent by nobody who may only see', async () => {
    const page = await test.signedIn('/files', { name: 'auditor' });
    await page.getByRole('heading', { name: 'Conteúdos guardados' }).waitFor();
    expect(await page.getByText('Solte aqui').count()).toBe(0);
  });
});

describe('trying a record', () => {
  const verdict = { outcome: 'invalid', errors: [], warnings: [], waitsFor: [] };

  it.each(LANGUAGES)(
    'takes a table as a spreadsheet of Brazil writes it, and judges it line by line (%s)',
    async (lang) => {
      const error = { code: 'UNIT_UNKNOWN', field: 'unitOfMeasurement', message: 'A unidade "UN1" não é conhecida.' };
      answerWith({ '/api/preflight': { records: [{ ...verdict, errors: [error] }] } });
      const isEnglish = lang === 'en';
      const page = await test.signedIn('/try', { lang, phone: true });
      // "Pão" in Windows-1252.
      const buffer = Buffer.from('externalReference;name;sku.externalReference\r\n1;P\u00E3o;1-a\r\n', 'latin1');
      const table = { name: 'produtos.csv', mimeType: 'text/csv', buffer };
      await page.locator('input[type=file]').setInputFiles(table);
      const csv = { name: isEnglish ? 'CSV table with a header' : 'tabela CSV com cabeçalho', selected: true };
      await page.getByRole('option', csv).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: isEnglish ? 'Check' : 'Conferir', exact: true }).click();
      await page.getByText('A unidade "UN1" não é conhecida.').waitFor();
      await page.getByText(isEnglish ? 'Line 2' : 'Linha 2').waitFor();
      const { body } = test.apps.received.find(({ url }) => url.startsWith('/api/preflight')) ?? { body: '{}' };
      expect(JSON.parse(body)).toEqual({
        kind: 'product',
        records: ['{"externalReference":"1","name":"Pão","skus":[{"externalReference":"1-a"}]}'],
      });
    },
  );

  it('says why a file cannot be read', async () => {
    const page = await test.signedIn('/try');
    const choose = page.locator('input[type=file]');
    await choose.setInputFiles({
      name: 'a.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from('{}\n\u00E3', 'latin1'),
    });
    await page.getByRole('alert').getByText('A linha 2 do arquivo tem um caractere que não é UTF-8.').waitFor();
    await choose.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;"') });
    await page.getByRole('button', { name: 'Conferir', exact: true }).click();
    expect(await seen(page.getByRole('alert').getByText('O texto não é uma tabela'))).toBe(true);
  });
});
