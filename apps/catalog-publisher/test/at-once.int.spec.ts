import { seeded } from '@gondola/local-stack/testing/seeded';
import { sized } from '@gondola/local-stack/testing/sized';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { POLICY } from './support/product-samples.ts';
import { ALIAS, randomSequence, type RecordSequence, type SequenceRecord } from './support/record-sequences.ts';
import { SandboxShop } from './support/sandbox-shop.ts';

const SEED = Number(process.env['AT_ONCE_SEED'] ?? 505_711);
/** Each of some sequences that are played beside each other. */
const ROUNDS = Array.from({ length: sized(1, 5) }, (_, n) => n);
const SEQUENCES = 6;
const LENGTH = sized(14, 24);
const TENANTS = ['single', 'at-once'] as const;
type Tenant = (typeof TENANTS)[number];

/** A value that a newer one replaced before it was sent is as good as one that was applied before it. */
function classOf(outcome: unknown): string {
  return ['applied', 'unchanged', 'superseded'].includes(String(outcome)) ? 'applied' : String(outcome);
}

describe('records that are sent at once, on the sandbox, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;
  let shop: SandboxShop;

  beforeAll(async () => {
    process.stdout.write(`AT_ONCE_SEED=${SEED}\n`);
    shop = await SandboxShop.start('cp-at-once', (tenant, parts) => gondola.notify(tenant, parts));
    const tenants = TENANTS.map((id) => ({
      id,
      deadlines: { settleMs: 500, referencesMs: 3_600_000 },
      catalog: { commercialPolicies: { [ALIAS]: POLICY } },
    }));
    gondola = await CatalogInstallation.create('cp-at-once', tenants, { LOG_LEVEL: 'warn' }, shop.sandbox.url);
    const { TEST_PLATFORM_PASSWORD: password = '' } = gondola.installation.env;
    for (const [tenant, contractAccountId] of gondola.accounts)
      await shop.open({ tenant, contractAccountId, username: `erp-${tenant}`, password });
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(async () => {
    await shop.close();
    await gondola.close();
  });

  const resultsOf = (tenant: Tenant, id: string) =>
    gondola.results(id).filter(({ value }) => value['tenant'] === tenant);
  const finalOf = (tenant: Tenant, id: string) =>
    resultsOf(tenant, id).find(({ value }) => value['final'] === true)?.value;
  const send = (tenant: Tenant, { topic, value }: SequenceRecord) =>
    gondola.produceTo(topic, { key: 'same', value, headers: { ce_tenant: tenant } });
  const untilEnded = async (tenant: Tenant, records: readonly SequenceRecord[]) => {
    for (const { value } of records)
      await waitFor(() => finalOf(tenant, value.recordId) !== undefined, {
        describe: `the final result of ${value.recordId} of ${tenant}: ${JSON.stringify(value)}`,
      });
  };

  const play = async (tenant: Tenant, { setup, records }: RecordSequence) => {
    for (const each of setup) await send(tenant, each);
    await untilEnded(tenant, setup);
    for (const each of records) {
      await send(tenant, each);
      const id = each.value.recordId;
      // One that waits is answered, too.
      if (tenant === 'single')
        await waitFor(() => resultsOf(tenant, id).length > 0, { describe: `a result of ${id} of ${tenant}` });
    }
    await untilEnded(tenant, records);
  };

  const admin = async (tenant: Tenant, path: string) =>
    (await shop.sandbox.admin('GET', `${path}?contractAccountId=${gondola.accounts.get(tenant)}`)) as
      | Record<string, unknown>[]
      | Record<string, unknown>
      | undefined;

  /** The entities of a sequence as the shop of a tenant shows them. */
  const stateOf = async (tenant: Tenant, name: string, { setup }: RecordSequence) => {
    const named = (kind: string) =>
      setup.flatMap(({ topic, value }) => (topic.includes(kind) ? [value.externalReference] : []));
    const skuIds = new Map<unknown, string>();
    const products: unknown[] = [];
    for (const reference of named('products')) {
      const model = await shop.product(tenant, reference);
      for (const sku of (model?.['skus'] ?? []) as Record<string, unknown>[])
        skuIds.set(sku['id'], String(sku['externalReference']));
      products.push(['name', 'title', 'brand', 'category', 'active'].map((key) => [key, referenceIn(model?.[key])]));
    }
    const brands = await Promise.all(
      named('brands').map(
        async (each) =>
          ((await admin(tenant, `/brands/${each}`)) as Record<string, unknown> | undefined)?.['title'] ?? null,
      ),
    );
    const categories = await Promise.all(
      named('categories').map(async (each) => {
        const found = (await admin(tenant, `/categories/${each}`)) as Record<string, unknown> | undefined;
        return [found?.['parentExternalReference'], found?.['position']];
      }),
    );
    const newest = new Map<string, unknown>();
    for (const entity of ['SKUPricing', 'WarehouseSKU', 'Warehouse']) {
      for (const each of (await admin(tenant, `/records/${entity}`)) as Record<string, unknown>[]) {
        const about = skuIds.get(each['skuId']) ?? textIn(each['id']);
        const place = textIn(each['commercialPolicyId'] ?? each['warehouseId']).toLowerCase();
        if (about.startsWith(`${name}-`))
          newest.set(`${entity} ${about} ${place}`, { ...each, skuId: null, commercialPolicyId: null });
      }
    }
    return { products, brands, categories, values: Object.fromEntries(newest) };
  };

  it.each(ROUNDS)(
    'end as the same records that are sent one by one, in results and in the shop: round %s (rules 24, 29, 30)',
    async (round) => {
      const random = seeded(SEED + round);
      const sequences = Array.from({ length: SEQUENCES }, (_, n) => ({
        name: `r${round}s${n}`,
        sequence: randomSequence(`r${round}s${n}`, LENGTH, random),
      }));
      await Promise.all(sequences.flatMap(({ sequence }) => TENANTS.map((tenant) => play(tenant, sequence))));
      await shop.sandbox.idle();
      for (const { name, sequence } of sequences) {
        const text = sequence.records.map(({ topic, value }) => `${topic} ${JSON.stringify(value)}`);
        const [single, atOnce] = TENANTS.map((tenant) =>
          sequence.records.map(({ value }, at) => {
            const result = finalOf(tenant, value.recordId);
            const reason = (result?.['reason'] as { code?: string } | null)?.code ?? null;
            return [text[at], classOf(result?.['outcome']), reason];
          }),
        );
        expect(atOnce).toEqual(single);
        expect(await stateOf('at-once', name, sequence)).toEqual(await stateOf('single', name, sequence));
      }
    },
  );
});

function referenceIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['externalReference'] : value;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
