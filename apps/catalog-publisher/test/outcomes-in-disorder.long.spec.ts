import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CatalogInstallation } from './support/catalog-app.ts';
import { createInstallation } from './support/natively.ts';
import { fullProduct, fullSku } from './support/product-samples.ts';
import { SandboxShop } from './support/sandbox-shop.ts';

const COUNT = 1_000;
/** So that a normal run loses some as well. */
const LOST = 0.01;
const TENANTS = ['calm', 'shaken'] as const;
const TIMEOUT_MS = 900_000;

/** A product whose outcome is lost is read after a third of it; of what is undisturbed, nothing is. */
const DEADLINES_MS = { calm: 600_000, shaken: 90_000 };

type Tenant = (typeof TENANTS)[number];
type Sent = Record<string, unknown> & { readonly recordId: string };

const skusOf = (reference: string) =>
  ['a', 'b'].map((end) => fullSku({ externalReference: `${reference}-${end}`, reference: `${reference}-${end}` }));

/** Products of which one in ten lacks its name. */
const FIRST: readonly Sent[] = Array.from({ length: COUNT }, (_, index) => {
  const externalReference = `p${index}`;
  const { name, ...whole } = fullProduct({
    externalReference,
    slug: `produto-${index}`,
    skus: skusOf(externalReference),
  });
  return { ...whole, ...(index % 10 !== 7 && { name: name! }), recordId: `first-${index}` };
});

/** What comes then: a taken slug, nothing new, a change of the product, one of a SKU, a product that goes. */
const SECOND: readonly Sent[] = Array.from({ length: COUNT }, (_, index) => {
  const externalReference = `p${index}`;
  const changes: readonly object[] = [
    { slug: `produto-${(index + 10) % COUNT}` },
    { punctuation: 10 },
    { name: `Queijo ${index}`, brandExternalReference: null },
    { skus: [{ externalReference: `${externalReference}-a`, name: `Peça ${index}` }] },
    { op: 'deactivate' },
  ];
  return { externalReference, ...changes[index % changes.length], recordId: `second-${index}` };
});

describe('products whose outcomes come in any order, twice or not at all, with three replicas and the sandbox', () => {
  let gondola: CatalogInstallation;
  let shop: SandboxShop;

  beforeAll(async () => {
    shop = await SandboxShop.start('cp-disorder', (tenant, parts) => gondola.notify(tenant, parts));
    gondola = await createInstallation(
      'cp-disorder',
      TENANTS.map((id) => ({ id, deadlines: { commandMs: DEADLINES_MS[id] } })),
      {},
      shop.url,
    );
    const { TEST_PLATFORM_PASSWORD: password = '' } = gondola.installation.env;
    for (const [tenant, contractAccountId] of gondola.accounts)
      await shop.open({ tenant, contractAccountId, username: `erp-${tenant}`, password });
    for (let replica = 0; replica < 3; replica += 1) await gondola.startApp();
    await gondola.readTopics();
  }, TIMEOUT_MS);

  afterAll(async () => {
    await shop.close();
    await gondola.close();
  });

  async function publish(tenant: Tenant, records: readonly Sent[]): Promise<void> {
    await gondola.produce(...records.map((value) => ({ value, headers: { ce_tenant: tenant } })));
    const open = new Set(records.map(({ recordId }) => recordId));
    await gondola.until(
      () => {
        for (const { value } of resultsOf(tenant)) open.delete(String(value['commandId']));
        return open.size === 0;
      },
      { timeoutMs: TIMEOUT_MS },
    );
  }

  const resultsOf = (tenant: Tenant) => gondola.results().filter(({ value }) => value['tenant'] === tenant);

  /** SKUs whose new names are published. */
  const settled = async (tenant: Tenant) =>
    (await gondola.query("SELECT 1 FROM skus WHERE tenant = $1 AND snapshot LIKE '%Peça%'", [tenant])).length;

  /** What is left in the end, but for ids, times and how it became known. */
  async function stateOf(tenant: Tenant) {
    const results = resultsOf(tenant).map(({ value: { commandId, outcome, errors, skus, reason } }) => {
      const code = (reason as { code: string } | null)?.code ?? null;
      return { commandId, outcome, errors, skus, code };
    });
    const products = await Promise.all(
      FIRST.map(async ({ externalReference }) => plain(await shop.product(tenant, String(externalReference)))),
    );
    const rows = await gondola.query('SELECT external_reference, snapshot FROM skus WHERE tenant = $1 ORDER BY 1', [
      tenant,
    ]);
    const skus = rows.map(({ external_reference: reference, snapshot }) => {
      const {
        skuId: _,
        productId: __,
        tenant: ___,
        ...content
      } = JSON.parse(String(snapshot)) as Record<string, unknown>;
      return { reference, content };
    });
    return {
      results: results.toSorted((one, other) => (String(one.commandId) < String(other.commandId) ? -1 : 1)),
      products,
      skus,
    };
  }

  it(
    'end as undisturbed, each record with its one result (guarantees 3 and 5, rules 25 and 27)',
    async () => {
      for (const records of [FIRST, SECOND]) await publish('calm', records);
      await shop.admin('POST', '/faults', [
        { event: 'ProductWithSKUs_.*', kind: 'webhook-lose', share: LOST, seed: 5 },
        { event: 'ProductWithSKUs_.*', kind: 'webhook-double', share: 0.5, seed: 6 },
        { event: 'ProductWithSKUs_.*', kind: 'webhook-shuffle', ms: 400, seed: 7 },
      ]);
      for (const records of [FIRST, SECOND]) await publish('shaken', records);
      await shop.admin('DELETE', '/faults');
      const changed = SECOND.filter((each, index) => 'skus' in each && index % 10 !== 7).length;
      for (const tenant of TENANTS) await gondola.until(async () => (await settled(tenant)) === changed);
      const [calm, shaken] = [await stateOf('calm'), await stateOf('shaken')];
      expect(calm.results).toHaveLength(2 * COUNT);
      expect(new Set(calm.results.map(({ outcome }) => outcome))).toEqual(
        new Set(['applied', 'unchanged', 'refused', 'invalid']),
      );
      expect(shaken).toEqual(calm);
      const evidence = new Set(resultsOf('shaken').map(({ value }) => value['evidence']));
      expect(evidence).toContain('read-back');
    },
    TIMEOUT_MS,
  );
});

function plain(product: Record<string, unknown> | null): unknown {
  if (product === null) return null;
  const { id: _, contractAccountId: __, createdAt: ___, updatedAt: ____, skus, ...values } = product;
  return { ...values, skus: (skus as Record<string, unknown>[]).map(({ id: _id, ...sku }) => sku) };
}
