import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DisorderedShop, type Sent, type Tenant, TENANTS } from './support/disordered-shop.ts';
import { fullProduct, fullSku } from './support/product-samples.ts';

const COUNT = 400;
/** So that a normal run loses some as well. */
const LOST = 0.01;

/** A product whose outcome is lost is read after a third of it; of what is undisturbed, nothing is. */
const DEADLINES_MS = { calm: 600_000, shaken: 120_000 };

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

/** Later records: a taken slug, no change, a change of the product, one of a SKU, a deactivated product. */
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
  let disorder: DisorderedShop;

  beforeAll(async () => {
    disorder = await DisorderedShop.start('cp-disorder', {
      calm: { commandMs: DEADLINES_MS.calm },
      shaken: { commandMs: DEADLINES_MS.shaken },
    });
  });

  afterAll(() => disorder?.close());

  const publish = (tenant: Tenant, records: readonly Sent[]) =>
    disorder.publish(tenant, 'erp.catalog.products.v1', records);

  /** Products whose SKUs are still to be published. */
  const unpublished = async (tenant: Tenant) =>
    disorder.gondola.query("SELECT 1 FROM products WHERE tenant = $1 AND known::json ->> 'snapshot' IS NOT NULL", [
      tenant,
    ]);

  /** Final state without ids, times and evidence. */
  async function stateOf(tenant: Tenant) {
    const results = disorder.resultsOf(tenant).map(({ value: { commandId, outcome, errors, skus, reason } }) => {
      const code = (reason as { code: string } | null)?.code ?? null;
      return { commandId, outcome, errors, skus, code };
    });
    const products = await Promise.all(
      FIRST.map(async ({ externalReference }) => plain(await disorder.shop.product(tenant, String(externalReference)))),
    );
    const rows = await disorder.gondola.query(
      'SELECT external_reference, snapshot FROM skus WHERE tenant = $1 ORDER BY 1',
      [tenant],
    );
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

  it('end as undisturbed, each record with its one result (guarantees 3 and 5, rules 25 and 27)', async () => {
    for (const records of [FIRST, SECOND]) await publish('calm', records);
    await disorder.shake('ProductWithSKUs_.*', LOST);
    for (const records of [FIRST, SECOND]) await publish('shaken', records);
    await disorder.shop.sandbox.admin('DELETE', '/faults');
    for (const tenant of TENANTS) await disorder.gondola.until(async () => (await unpublished(tenant)).length === 0);
    const [calm, shaken] = [await stateOf('calm'), await stateOf('shaken')];
    expect(calm.results).toHaveLength(2 * COUNT);
    expect(new Set(calm.results.map(({ outcome }) => outcome))).toEqual(
      new Set(['applied', 'unchanged', 'refused', 'invalid']),
    );
    expect(shaken).toEqual(calm);
    const evidence = new Set(disorder.resultsOf('shaken').map(({ value }) => value['evidence']));
    expect(evidence).toContain('read-back');
  });
});

function plain(product: Record<string, unknown> | null): unknown {
  if (product === null) return null;
  const { id: _, contractAccountId: __, createdAt: ___, updatedAt: ____, skus, ...values } = product;
  return { ...values, skus: (skus as Record<string, unknown>[]).map(({ id: _id, ...sku }) => sku) };
}
