import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PlatformRequest } from '@gondola/local-stack/testing/scripted-platform';
import type { Reply } from '@gondola/local-stack/testing/test-server';
import type { TopicName } from '@gondola/shared/topics/topics';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import { readModelOf } from './support/read-models.ts';
import { brand, category, product } from './support/references.ts';

const SKUS = 10;
const STOCKS = sized(40, 1_500);
const OTHERS = sized(5, 50);
/**
 * In the short size as seen in a shop, 18 s of 30 s, doubled for slow machines; in the long one two minutes of the
 * default deadline of fifteen.
 */
const OUTAGE_MS = sized(36_000, 120_000);
const DEADLINE_MS = sized(60_000, 900_000);
/** Parts of the results that are awaited one after the other. */
const SHARES = 20;
/** Longer than any answer that a shop gives at all, shorter than the outage. */
const CALL_MS = sized(1_000, 30_000);

/** The kinds of an outage, each in the shop of a tenant of its own. */
const OUTAGES: Readonly<Record<string, Reply>> = {
  unavailable: { status: 503 },
  gateway: { status: 504 },
  silent: 'hang',
  cut: 'drop',
  page: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<title>Manutenção</title>' },
  moved: { status: 302, headers: { location: '/manutencao' } },
};
const tenants = Object.keys(OUTAGES);
const isDown = ({ method, path }: PlatformRequest) => method === 'POST' && !path.endsWith('/Products');
const skus = Array.from({ length: SKUS }, (_, index) =>
  fullSku({ externalReference: `sku-${index}`, reference: `sku-${index}` }),
);

describe('an outage of the routes of prices, stock, brands and categories', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const deadlines = { settleMs: 300, commandMs: DEADLINE_MS };
    gondola = await CatalogInstallation.create(
      'cp-outage',
      tenants.map((id) => ({ id, deadlines })),
      { PLATFORM_TIMEOUT_MS: String(CALL_MS) },
    );
    await gondola.startApp();
    await gondola.readTopics();
    for (const id of tenants) {
      gondola.shop(id).readModels.set('1', readModelOf('1', skus));
      await gondola.produce({
        value: { ...fullProduct({ externalReference: '1' }), skus },
        headers: { ce_tenant: id },
      });
    }
    await gondola.until(async () => {
      const rows = await gondola.query('SELECT 1 FROM skus WHERE snapshot IS NOT NULL');
      return rows.length === SKUS * tenants.length;
    });
  });

  afterAll(() => gondola.close());

  const sendAll = async (topic: TopicName, tenant: string, values: readonly object[]) =>
    gondola.produceTo(topic, ...values.map((value) => ({ value, headers: { ce_tenant: tenant } })));

  it('of minutes burns no record: all are applied once it is over, and products are loaded meanwhile (guarantees 3, 5)', async () => {
    const stocks = Array.from({ length: STOCKS }, (_, index) => ({
      externalReference: `sku-${index % SKUS}`,
      warehouse: `cd-${Math.floor(index / SKUS)}`,
      data: { quantity: index },
      recordId: `stock-${index}`,
    }));
    const prices = Array.from({ length: Math.min(OTHERS, SKUS) }, (_, index) => ({
      externalReference: `sku-${index}`,
      policy: POLICY,
      data: { price: `${index}.50` },
      recordId: `price-${index}`,
    }));
    const names = Array.from({ length: OTHERS }, (_, index) => `n-${index}`);
    const brands = names.map((each) => brand(each, { recordId: `brand-${each}` }));
    const categories = names.map((each) => category(each, { recordId: `category-${each}` }));
    for (const [tenant, outage] of Object.entries(OUTAGES)) {
      let endsAtMs = Infinity;
      const isLoaded = () => gondola.results('p-2').some(({ value }) => value['tenant'] === tenant && value['final']);
      gondola.shop(tenant).before = (request) => {
        if (!isDown(request)) return undefined;
        // The outage begins with the first call that meets it, and outlasts the load of a product.
        if (endsAtMs === Infinity) endsAtMs = Date.now() + OUTAGE_MS;
        return Date.now() >= endsAtMs && isLoaded() ? undefined : outage;
      };
    }
    await Promise.all(
      tenants.flatMap((tenant) => [
        sendAll('erp.catalog.stock.v1', tenant, stocks),
        sendAll('erp.catalog.prices.v1', tenant, prices),
        sendAll('erp.catalog.brands.v1', tenant, brands),
        sendAll('erp.catalog.categories.v1', tenant, categories),
        sendAll('erp.catalog.products.v1', tenant, [product('2', { recordId: 'p-2' })]),
      ]),
    );
    const sent = new Set<unknown>([...stocks, ...prices, ...brands, ...categories].map(({ recordId }) => recordId));
    sent.add('p-2');
    const wanted = tenants.length * sent.size;
    const ours = () => gondola.results().filter(({ value }) => value['final'] === true && sent.has(value['commandId']));
    // A wait for each share: a slow machine makes progress for longer than a single wait may take.
    for (let share = 1; share <= SHARES; share += 1) {
      const count = Math.ceil((wanted * share) / SHARES);
      await gondola.installation.untilCount(`${count} results`, ours, count);
    }
    const ends = Map.groupBy(ours(), ({ value }) => `${String(value['tenant'])} ${String(value['outcome'])}`);
    expect(new Map([...ends].map(([end, its]) => [end, its.length]))).toEqual(
      new Map(tenants.map((tenant) => [`${tenant} applied`, sent.size])),
    );
  });
});
