import { waitFor } from '@gondola/local-stack/wait-for';
import { describe, expect, it } from '@jest/globals';
import { TAKEN_SLUG } from '../erp/catalog.ts';
import type { Result } from '../erp/erp.ts';
import type { Gondola } from '../play/gondola.ts';
import { playLoop } from '../play/loop.ts';
import { testRun } from '../testing/test-run.ts';
import { metricsOfDashboards, sampledMetrics, SHOWN_LATER } from './dashboard-metrics.ts';
import { type OpenedConsole, openConsole } from './open-console.ts';

// The proof of the console: the day of the README on the real apps, and an operator who reads nothing but the page.
// Expected answers are the books of the ERP and of the shop.

const SOLD = 100_001;
const APPROVED_LATE = 100_004;
const CHEESE = { reference: '4711-1', name: 'Queijo Minas Frescal' };

/** The only product with this outcome, as the ERP heard of it. */
function productThatEnded({ context: { erp } }: Gondola, outcome: string): { reference: string; message: string } {
  const ends = erp.ends().filter((end) => end.outcome === outcome && end.entity.kind === 'product');
  expect(ends).toHaveLength(1);
  const [{ entity, errors }] = ends as [Result];
  return { reference: entity.externalReference!, message: errors[0]!.message };
}

/** From Today to the sentence for the ERP's people, and to the product. */
async function whatTheErpMustChange(
  shown: OpenedConsole,
  { reference, message }: { reference: string; message: string },
) {
  await shown.show('/', 'Hoje');
  await shown.page.getByRole('link', { name: 'registros do catálogo não entraram na loja' }).click();
  const causes = shown.page.getByRole('region', { name: 'O que o ERP precisa corrigir' });
  await causes.getByText(`Exemplo: produto ${reference}: ${message}`).waitFor();
  await shown.show(`/products/${reference}`, `Produto ${reference}`);
  const last = shown.page.getByRole('region', { name: 'Último registro' });
  await last.getByText('O que o ERP precisa corrigir').waitFor();
  await last.getByText(message).waitFor();
}

/** The shop had the owner before the ERP came, so that no record of the ERP names it. */
async function ownerOfTheSlug({ page }: OpenedConsole): Promise<void> {
  const last = page.getByRole('region', { name: 'Último registro' });
  await last.getByRole('heading', { name: 'De quem é o slug' }).waitFor();
  await last.getByText(`o slug ${TAKEN_SLUG}: ele é de um produto cadastrado direto na loja`).waitFor();
}

describe('the console after the day of the README', () => {
  it('answers what operators ask by the page alone, also while an app is away, until the session ends', async () => {
    await testRun('console', async (gondola) => {
      await playLoop(gondola.context);
      await metricsOfTheDay(gondola);
      const shown = await openConsole(gondola);
      try {
        await whatTheErpMustChange(shown, productThatEnded(gondola, 'invalid'));
        await whatTheErpMustChange(shown, productThatEnded(gondola, 'refused'));
        await ownerOfTheSlug(shown);
        await orderThatWasCancelled(shown, gondola);
        await wholeDay(shown, gondola);
        await cheeseThatWasPaid(shown, gondola);
        await whileAnAppIsAway(shown, gondola);
        await afterTheSession(shown);
        expect(shown.faults).toEqual([]);
      } finally {
        await shown.close();
      }
    });
  });
});

/** Every query of a dashboard finds samples, but those of what did not happen on this day. */
async function metricsOfTheDay(gondola: Gondola): Promise<void> {
  const asked = await metricsOfDashboards();
  expect(asked.size).toBeGreaterThan(30);
  expect(Object.keys(SHOWN_LATER).filter((metric) => !asked.has(metric))).toEqual([]);
  const expected = [...asked].filter((metric) => !Object.hasOwn(SHOWN_LATER, metric));
  let missing = expected;
  // The oldest rows and the lag are read beside the scrapes.
  const isComplete = async (): Promise<boolean> => {
    const sampled = await sampledMetrics(gondola);
    missing = expected.filter((metric) => !sampled.has(metric));
    return missing.length === 0;
  };
  await waitFor(isComplete, { describe: 'samples of every metric of the dashboards' }).catch(() => undefined);
  expect(missing).toEqual([]);
}

async function orderThatWasCancelled(shown: OpenedConsole, { context: { shop, erp } }: Gondola): Promise<void> {
  expect([(await shop.order(APPROVED_LATE)).status, erp.eventsOf(APPROVED_LATE)]).toEqual([800, []]);
  await shown.show(`/orders/${APPROVED_LATE}`, `Pedido ${APPROVED_LATE}`);
  const course = shown.page.getByRole('region', { name: 'Caminho do pedido' });
  await course.getByText('cancelado antes de a aprovação do pagamento chegar').waitFor();
  const timeline = shown.page.getByRole('region', { name: 'O que aconteceu' });
  const lines = await timeline.getByRole('listitem').allInnerTexts();
  const place = (what: string) => lines.findIndex((line) => line.includes(`A plataforma avisou: ${what}`));
  expect(place('Cancelado')).toBeGreaterThanOrEqual(0);
  expect(place('Pagamento aprovado')).toBeGreaterThan(place('Cancelado'));
  expect(lines.join('\n')).not.toContain('O ERP recebeu o aviso');
}

async function cheeseThatWasPaid(shown: OpenedConsole, { context: { shop } }: Gondola): Promise<void> {
  const { page } = shown;
  const { items } = await shop.order(SOLD);
  const { total } = items.find(({ skuExternalReference }) => skuExternalReference === CHEESE.reference)!;
  const paid = (language: string) => total.toLocaleString(language, { style: 'currency', currency: 'BRL' });
  const row = (table: string) => page.getByRole('region', { name: table }).getByRole('row', { name: CHEESE.name });
  await shown.show(`/orders/${SOLD}`, `Pedido ${SOLD}`);
  expect(await row('Itens').getByRole('cell').last().innerText()).toBe(paid('pt-BR'));
  await page.getByLabel('Idioma').selectOption('en');
  await page.getByRole('heading', { name: `Order ${SOLD}`, level: 1 }).waitFor();
  expect(await row('Items').getByRole('cell').last().innerText()).toBe(paid('en'));
  await page.getByLabel('Language').selectOption('pt-BR');
}

async function wholeDay(shown: OpenedConsole, { context: { shop, erp } }: Gondola): Promise<void> {
  await shown.show('/', 'Hoje');
  const rejected = erp.ends().filter(({ outcome }) => outcome === 'invalid' || outcome === 'refused').length;
  const loads = shown.page.getByRole('region', { name: 'Últimas cargas' });
  await loads.getByText(`${rejected} recusados`).waitFor();
  const twice = await shop.webhooksAcceptedAgain();
  expect(twice).toBeGreaterThan(0);
  const deliveries = shown.page.getByRole('region', { name: 'Avisos da plataforma por hora' });
  await deliveries.getByText(` ${twice} vieram repetidos `).first().waitFor();
}

async function whileAnAppIsAway(shown: OpenedConsole, { supervisor }: Gondola): Promise<void> {
  const bringBack = await supervisor.takeAway('catalog-publisher');
  await shown.page.getByRole('link', { name: 'Hoje' }).click();
  await shown.page.getByText('Catálogo está fora do ar').waitFor();
  await shown.page.getByText('O aplicativo Catálogo não responde.').first().waitFor();
  const orders = shown.page.getByRole('region', { name: 'Pedidos por status' });
  await orders.getByRole('link', { name: 'Entregue' }).waitFor();
  await bringBack();
  await shown.page.getByText('Catálogo está fora do ar').waitFor({ state: 'hidden' });
  await shown.page.getByText('O aplicativo Catálogo não responde.').first().waitFor({ state: 'hidden' });
}

async function afterTheSession({ page }: OpenedConsole): Promise<void> {
  await page.context().clearCookies();
  await page.getByText('A sua sessão terminou.').waitFor();
  expect(await page.getByRole('region').count()).toBe(0);
}
