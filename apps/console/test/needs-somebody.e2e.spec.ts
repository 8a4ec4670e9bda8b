import { readFile } from 'node:fs/promises';
import { waitFor } from '@gondola/local-stack/wait-for';
import { isWiderThanItsWindow, seen, seriousOf } from '@gondola/web-kit/testing/page-checks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { attentionAnswer, job, type Job, LETTER_ID, rejection } from './support/attention-answers.ts';
import { answerTo } from './support/shop-answers.ts';
import { HOSTILE, startTestPage, type TestPage } from './support/test-page.ts';

const SENTENCE = 'O comando não é um objeto JSON válido.';

let page: TestPage;
/** Jobs of order-command-handler, as it answers them. */
let jobs: Job[];

beforeAll(async () => {
  page = await startTestPage();
});

afterAll(() => page?.stop());

beforeEach(() => {
  jobs = [];
  answerWith(SENTENCE);
});

afterEach(() => page.close());

/** Everything waits for somebody; the texts that others write are `text`. */
function answerWith(text: string): void {
  page.apps.received.splice(0);
  page.apps.answer((call) => {
    if (call.method === 'POST' && call.url === '/api/jobs') jobs = [job()];
    if (call.url.includes('/stop')) jobs = [job({ state: 'stopped', finishedAt: '2026-11-26T10:31:00.000Z' })];
    const isJob = call.method === 'POST' && (call.url === '/api/jobs' || call.url.includes('/stop'));
    return { body: JSON.stringify(isJob ? jobs[0] : attentionAnswer(call, text, jobs)) };
  });
}

/** Calls that changed something, or showed what may be personal. */
function acted(): Array<{ app: string; path: string; body: unknown }> {
  return page.apps.received
    .filter(({ method, url }) => (method === 'POST' && !url.includes('/preview')) || url.includes('body=true'))
    .map(({ app, url, body }) => ({ app, path: url, body: body === '' ? null : (JSON.parse(body) as unknown) }));
}

describe('the page about what needs somebody', () => {
  it.each([
    ['pt-BR', '1 pedido: separado, e a nota não foi registrada', 'O conteúdo não é um JSON válido', 'Quem age: o ERP.'],
    ['en', '1 order: picked, and its invoice is not registered', 'The content is no valid JSON', 'Who acts: the ERP.'],
  ])('groups it by cause, with how many, since when and who acts, in %s', async (lang, order, letter, who) => {
    const shown = await page.signedIn('/attention', { lang });
    const isPt = lang === 'pt-BR';
    await shown.getByRole('heading', { name: isPt ? 'Precisa de alguém' : 'Needs somebody', level: 1 }).waitFor();
    const orders = shown.getByRole('region', { name: order });
    await orders.getByRole('link', { name: isPt ? 'Pedido 100001' : 'Order 100001' }).waitFor();
    const letters = shown.getByRole('region', { name: letter });
    await letters.getByText(isPt ? '12 registros' : '12 records').waitFor();
    await letters.getByText(who).waitFor();
    await shown.getByText(isPt ? '1.234 registros' : '1,234 records').waitFor();
    const notices = shown.getByRole('region', { name: isPt ? 'Falta um campo obrigatório' : 'A required field' });
    await notices.getByText('relatedEntity').first().waitFor();
    await shown.getByText(isPt ? '1 registro foi recusado pelo Kafka' : '1 record was refused by Kafka').waitFor();
    expect(await seen(shown.getByText(isPt ? '7 registros esperam' : '7 records wait'))).toBe(true);
  });

  it.each(['pt-BR', 'en'])('has nothing serious that axe finds when it is full, on a phone, in %s', async (lang) => {
    jobs = [job(), job({ id: '6', state: 'finished', finishedAt: '2026-11-26T10:31:00.000Z' })];
    const shown = await page.signedIn('/attention', { lang, phone: true });
    await shown.getByRole('progressbar').waitFor();
    for (const details of await shown.locator('summary').all()) await details.click();
    await shown.getByText(SENTENCE).first().waitFor();
    expect(await seriousOf(shown)).toEqual([]);
    expect(await isWiderThanItsWindow(shown)).toBe(false);
    await shown
      .getByRole('button', { name: lang === 'en' ? 'Discard' : 'Descartar' })
      .first()
      .click();
    await shown.getByRole('dialog').waitFor();
    expect(await seriousOf(shown)).toEqual([]);
  });

  it('says what to do where nothing waits', async () => {
    page.apps.answer((call) => {
      const isList = /^\/api\/(?:orders|jobs)\?/.test(call.url);
      return { body: JSON.stringify(isList ? { entries: [], next: null } : answerTo(call, 'x')) };
    });
    const shown = await page.signedIn('/attention');
    await shown.getByText('Nenhum pedido precisa de atenção.').waitFor();
    await shown.getByText('Todos os registros puderam ser usados.').waitFor();
    await shown.getByText('Nenhum registro recusado, à espera ou parado.').waitFor();
    expect(await seen(shown.getByText('Todos os avisos da plataforma foram entendidos.'))).toBe(true);
  });

  it('is reached from the line of Today that speaks of it', async () => {
    const shown = await page.signedIn('/');
    await shown.getByRole('link', { name: '1 pedido: separado, e a nota não foi registrada' }).click();
    await shown.getByRole('region', { name: '1 pedido: separado, e a nota não foi registrada' }).waitFor();
    expect(shown.url()).toBe(`${page.url}/attention#orders-NOT_INVOICED-erp`);
  });

  it('has an address for each part, which leads there however much comes above it', async () => {
    const shown = await page.signedIn('/attention#quarantine');
    await shown.getByRole('region', { name: 'Falta um campo obrigatório' }).waitFor();
    const inView = await shown.waitForFunction(
      () => document.getElementById('quarantine')!.getBoundingClientRect().top < window.innerHeight,
    );
    expect(await inView.jsonValue()).toBe(true);
  });

  it('offers nothing that changes or reveals something to who may only see', async () => {
    jobs = [job()];
    const shown = await page.signedIn('/attention', { name: 'joao' });
    await shown.getByText('não permite agir').waitFor();
    await shown.getByRole('progressbar').waitFor();
    for (const details of await shown.locator('summary').all()) await details.click();
    await shown.getByText(SENTENCE).first().waitFor();
    const acting = /Publicar|Ler de novo|Enviar de novo|Descartar|Mostrar conteúdo|Liberar|Reler|Parar/;
    expect(await shown.getByRole('button', { name: acting }).count()).toBe(0);
  });

  it('keeps what the other apps say while one is away', async () => {
    page.apps.answer((call) =>
      call.app === 'webhook-ingest' && call.url.startsWith('/api/')
        ? { status: 503, body: '{"error":{"code":"DATABASE_AWAY","message":"away"}}' }
        : { body: JSON.stringify(attentionAnswer(call, SENTENCE)) },
    );
    const shown = await page.signedIn('/attention');
    await shown.getByRole('alert').getByText('O banco de dados do aplicativo não responde.').first().waitFor();
    expect(await seen(shown.getByRole('region', { name: 'O conteúdo não é um JSON válido' }))).toBe(true);
  });
});

describe('many at once', () => {
  it('says how many match the filter before it begins, shows the progress, and stops', async () => {
    const shown = await page.signedIn('/attention');
    const cause = shown.getByRole('region', { name: 'O conteúdo não é um JSON válido' });
    await cause.getByRole('button', { name: 'Publicar de novo' }).click();
    const dialog = shown.getByRole('dialog', { name: 'Publicar estes registros de novo?' });
    await dialog.getByText('12 combinam com estes filtros agora.').waitFor();
    await dialog.getByLabel('Causa').selectOption('Todas as causas');
    await dialog.getByLabel('Chegados a partir de').fill('2026-11-26T08:00');
    await dialog.getByLabel('Ritmo').selectOption('até 10 por segundo');
    await dialog.getByText('12 combinam com estes filtros agora.').waitFor();
    await dialog.getByRole('button', { name: 'Publicar de novo' }).click();
    const running = shown.getByRole('region', { name: 'Ações em muitos' });
    await running.getByRole('progressbar', { name: '5 feitos e 1 não possíveis, de 12' }).waitFor();
    expect(acted()).toEqual([
      {
        app: 'order-command-handler',
        path: '/api/jobs',
        body: {
          action: 'redrive',
          tenant: 'acme',
          topic: 'erp.orders.commands.v1',
          from: '2026-11-26T11:00:00.000Z',
          perSecond: 10,
          expected: 12,
          confirm: true,
        },
      },
    ]);
    await running.getByText('maria').waitFor();
    await running.getByRole('button', { name: 'Parar' }).click();
    await shown.getByRole('dialog').getByRole('button', { name: 'Parar' }).click();
    await running.getByText('Nenhuma ação em andamento.').waitFor();
    await running.getByText('Ações que terminaram').click();
    await running.getByText('parada').first().waitFor();
    expect(acted()[1]).toMatchObject({ path: '/api/jobs/7/stop?tenant=acme' });
  });

  it('begins nothing while nothing matches', async () => {
    page.apps.answer((call) => ({
      body: JSON.stringify(
        call.url === '/api/jobs/preview' ? { count: 0, isMore: false } : attentionAnswer(call, SENTENCE),
      ),
    }));
    const shown = await page.signedIn('/attention');
    const cause = shown.getByRole('region', { name: 'O conteúdo não é um JSON válido' });
    await cause.getByRole('button', { name: 'Publicar de novo' }).click();
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('Nada combina com estes filtros agora.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Publicar de novo' }).isDisabled()).toBe(true);
  });

  it('discards only with a reason, which goes with it', async () => {
    const shown = await page.signedIn('/attention');
    const notices = shown.getByRole('region', { name: 'Falta um campo obrigatório' });
    await notices.getByRole('button', { name: 'Descartar' }).click();
    const dialog = shown.getByRole('dialog', { name: 'Descartar tudo isto?' });
    await dialog.getByText('12 combinam').waitFor();
    const button = dialog.getByRole('button', { name: 'Descartar' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Motivo (sem dados pessoais)').fill('  teste da plataforma ');
    await button.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(acted()).toMatchObject([
      { app: 'webhook-ingest', path: '/api/jobs', body: { action: 'discard', note: 'teste da plataforma' } },
    ]);
  });
});

describe('one record that could not be used', () => {
  it('shows its headers by size, and their names and its content only after a question', async () => {
    const shown = await page.signedIn('/attention');
    const cause = shown.getByRole('region', { name: 'O conteúdo não é um JSON válido' });
    await cause.getByText('Ver um por um').click();
    await cause.getByText('falhou 2 vezes').waitFor();
    await cause.getByText('Ver os detalhes').click();
    await cause.getByText('1 c***').waitFor();
    expect(await cause.getByText('ce_tenant').count()).toBe(0);
    expect(acted()).toEqual([]);
    await cause.getByRole('button', { name: 'Mostrar conteúdo' }).click();
    await shown.getByRole('dialog').getByText('Fica registrado que você o viu').waitFor();
    await shown.getByRole('dialog').getByRole('button', { name: 'Mostrar conteúdo' }).click();
    await cause.locator('pre').getByText(SENTENCE).waitFor();
    await cause.getByText('1 ce_tenant').waitFor();
    expect(acted().map(({ path }) => path)).toEqual([`/api/dead-letters/${encodeURIComponent(LETTER_ID)}?body=true`]);
  });

  it('is published again on its own', async () => {
    const shown = await page.signedIn('/attention');
    const cause = shown.getByRole('region', { name: 'O conteúdo não é um JSON válido' });
    await cause.getByText('Ver um por um').click();
    await cause.getByRole('listitem').getByRole('button', { name: 'Publicar de novo' }).click();
    await shown.getByRole('dialog').getByRole('button', { name: 'Publicar de novo' }).click();
    await shown.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(acted().map(({ path }) => path)).toEqual([`/api/dead-letters/${encodeURIComponent(LETTER_ID)}/redrive`]);
  });

  it('is shown as text, cut and without effect, whatever its error and content say', async () => {
    answerWith(HOSTILE);
    const shown = await page.signedIn('/attention', { phone: true });
    const cause = shown.getByRole('region', { name: 'O conteúdo não é um JSON válido' });
    await cause.getByText('Ver um por um').click();
    await cause.getByText('Ver os detalhes').click();
    await cause.getByRole('button', { name: 'Mostrar conteúdo' }).click();
    await shown.getByRole('dialog').getByRole('button', { name: 'Mostrar conteúdo' }).click();
    await cause.locator('pre').getByText('<img src=x onerror=').waitFor();
    const parked = shown.getByRole('region', { name: '1 registro foi recusado pelo Kafka' });
    await parked.getByText('Ver um por um').click();
    await parked.getByText('<img src=x onerror=').waitFor();
    expect(await shown.locator('main img, main script').count()).toBe(0);
    expect(await isWiderThanItsWindow(shown)).toBe(false);
    const isIsolated = await shown
      .getByText('<img src=x onerror=')
      .evaluateAll((found) => found.every((element) => element.closest('bdi, pre') !== null));
    expect(isIsolated).toBe(true);
  });
});

describe('records that Kafka refused for what they are', () => {
  it.each(['pt-BR', 'en'])(
    'are shown with topic, reason and size, and released for who may act, on a dark phone (%s)',
    async (lang) => {
      const isPt = lang === 'pt-BR';
      const shown = await page.signedIn('/attention#parked-file-gateway', { lang, phone: true });
      await shown.emulateMedia({ colorScheme: 'dark' });
      const box = shown.getByRole('region', { name: isPt ? '1 registro foi recusado' : '1 record was refused' });
      await box.getByText(isPt ? 'Maior do que o tópico aceita' : 'Larger than the topic accepts').waitFor();
      await box.getByText('erp.files.results.v1').waitFor();
      await box.getByText(isPt ? 'Ver um por um' : 'See them one by one').click();
      await box.getByText(isPt ? /1,3\sMB/ : /1\.3\sMB/).waitFor();
      const label = isPt ? 'Enviar de novo ao Kafka' : 'Send to Kafka again';
      await box.getByRole('button', { name: label }).first().click();
      const dialog = shown.getByRole('dialog');
      await dialog.getByText(isPt ? 'antes de tudo o que espera' : 'before all that wait').waitFor();
      await dialog.getByText(isPt ? 'já foi enviado e chegou antes' : 'was sent meanwhile and arrived first').waitFor();
      expect([await isWiderThanItsWindow(shown), await seriousOf(shown)]).toEqual([false, []]);
      await dialog.getByRole('button', { name: label }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(acted()).toEqual([
        {
          app: 'file-gateway',
          path: '/api/parked/release',
          body: { tenant: 'acme', topic: 'erp.files.results.v1', reason: 'MESSAGE_TOO_LARGE', confirm: true },
        },
      ]);
      const reads = () => page.apps.received.filter(({ url }) => url.startsWith('/api/parked/groups')).length;
      await waitFor(() => reads() > 1, { describe: 'the groups to be read again' });
    },
  );

  it('are released one by one', async () => {
    const shown = await page.signedIn('/attention');
    const box = shown.getByRole('region', { name: '1 registro foi recusado pelo Kafka' });
    await box.getByText('Ver um por um').click();
    await box.getByRole('button', { name: 'Enviar de novo ao Kafka' }).nth(1).click();
    const dialog = shown.getByRole('dialog', { name: 'Enviar este registro de novo ao Kafka?' });
    await dialog.getByRole('button', { name: 'Enviar de novo ao Kafka' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(acted()).toMatchObject([{ app: 'file-gateway', path: '/api/parked/51/release' }]);
  });

  it('of other shops only are counted, and said to be of others', async () => {
    page.apps.answer((call) => ({
      body: JSON.stringify(
        call.url.startsWith('/api/parked/groups') ? { groups: [] } : attentionAnswer(call, SENTENCE),
      ),
    }));
    const shown = await page.signedIn('/attention');
    const box = shown.getByRole('region', { name: '1 registro foi recusado pelo Kafka' });
    await box.getByText('Nenhum deles é desta loja.').waitFor();
    expect(await box.getByRole('button').count()).toBe(0);
  });

  it('of no known shop are released one by one, by who may act on all shops', async () => {
    page.apps.answer((call) => {
      if (!call.url.startsWith('/api/parked')) return { body: JSON.stringify(attentionAnswer(call, SENTENCE)) };
      if (call.url.startsWith('/api/parked/groups?tenant=')) return { body: '{"groups":[]}' };
      const url = call.url.replace('/groups', '/groups?tenant=acme');
      return { body: JSON.stringify(attentionAnswer({ ...call, url }, SENTENCE)).replaceAll('"acme"', 'null') };
    });
    const shown = await page.signedIn('/attention', { name: 'chefe' });
    const box = shown.getByRole('region', { name: '1 registro foi recusado pelo Kafka' });
    await box.getByText('de nenhuma loja conhecida').waitFor();
    expect(await box.getByRole('button', { name: 'Enviar de novo ao Kafka' }).count()).toBe(0);
    await box.getByText('Ver um por um').click();
    await box.getByRole('button', { name: 'Enviar de novo ao Kafka' }).click();
    await shown.getByRole('dialog').getByRole('button', { name: 'Enviar de novo ao Kafka' }).click();
    await shown.getByRole('dialog').waitFor({ state: 'detached' });
    expect(acted()).toMatchObject([{ app: 'file-gateway', path: '/api/parked/51/release' }]);
  });

  it('keep their count, and say that the app is away, while their groups cannot be read', async () => {
    page.apps.answer((call) =>
      call.url.startsWith('/api/parked')
        ? { status: 503, body: '{"error":{"code":"DATABASE_AWAY","message":"away"}}' }
        : { body: JSON.stringify(attentionAnswer(call, SENTENCE)) },
    );
    const shown = await page.signedIn('/attention');
    const box = shown.getByRole('region', { name: '1 registro foi recusado pelo Kafka' });
    expect(await seen(box.getByText('O banco de dados do aplicativo não responde.'))).toBe(true);
  });
});

describe('what the ERP must correct', () => {
  it.each([
    ['pt-BR', 'A unidade de medida não é conhecida · unitOfMeasurement', 'Copiar a frase', 'campo unitOfMeasurement'],
    ['en', 'The unit of measure is not known · unitOfMeasurement', 'Copy the sentence', 'field unitOfMeasurement'],
  ])(
    'is grouped by reason and field, with a sentence to send to its people, in %s',
    async (lang, cause, copy, field) => {
      const shown = await page.signedIn('/loads', { lang });
      await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const group = shown.getByRole('region', { name: cause });
      await group.getByText(lang === 'en' ? '2 records' : '2 registros', { exact: true }).waitFor();
      await group.getByRole('button', { name: copy }).click();
      await group.getByRole('status').waitFor();
      const copied = await shown.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain(SENTENCE);
      expect(copied).toContain(field);
      expect(copied).toContain('98007');
    },
  );

  it('lists the records behind a cause, each leading to its product', async () => {
    const shown = await page.signedIn('/loads', { phone: true });
    const group = shown.getByRole('region', { name: 'A unidade de medida não é conhecida' });
    await group.getByText('Ver um por um').click();
    const link = group.getByRole('link', { name: '98007' });
    expect(await link.getAttribute('href')).toBe('/products/98007');
    expect(await seriousOf(shown)).toEqual([]);
    expect(await isWiderThanItsWindow(shown)).toBe(false);
  });

  it('is downloaded whole, page by page, and nothing in it is a formula', async () => {
    const second = { ...rejection('=HYPERLINK("x")'), id: '8', externalReference: '98008' };
    page.apps.answer((call) => {
      const { pathname, searchParams } = new URL(call.url, 'http://app');
      if (pathname !== '/api/rejections') return { body: JSON.stringify(attentionAnswer(call, SENTENCE)) };
      const isSecond = searchParams.get('before') === '9';
      const read = isSecond ? { entries: [second], next: null } : { entries: [rejection(SENTENCE)], next: '9' };
      return { body: JSON.stringify(read) };
    });
    const shown = await page.signedIn('/loads');
    const saved = shown.waitForEvent('download');
    await shown.getByRole('button', { name: 'Baixar CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('UNIT_UNKNOWN-unitOfMeasurement.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(lines.map((line) => line.split(';')[1])).toEqual(['Referência', '98007', '98008']);
    expect(lines[2]).toContain("'=HYPERLINK");
  });

  it('is beside the loads, which show how fast they go and when they end', async () => {
    const shown = await page.signedIn('/loads');
    const loads = shown.getByRole('region', { name: 'Cargas', exact: true });
    await loads.getByRole('progressbar', { name: '12.000 de 30.000 concluídos' }).waitFor();
    await loads.getByText('6.000 por minuto').waitFor();
    await loads.getByText('termina por volta de').waitFor();
    expect(await seen(loads.getByText('2 recusados'))).toBe(true);
  });
});
