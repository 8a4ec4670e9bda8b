import type { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import type { SandboxShop } from '../support/sandbox-shop.ts';
import type { Evidence } from './judge.ts';
import { BRANDS, CATEGORIES, PRODUCTS } from './plan.ts';
import type { Content } from './sent-record.ts';

/** Names of the read model that differ from those of a record. */
const OF_BRAND = ['brand', 'brandExternalReference'] as const;
const OF_CATEGORY = ['category', 'categoryExternalReference'] as const;

/** State of a shop of the sandbox, by identity as the platform sees it, under the names of the ERP's fields. */
export async function shelfOf(shop: SandboxShop, tenant: string, account: string): Promise<Evidence['shop']> {
  const { sandbox } = shop;
  const view = new Map<string, Content>();
  for (const reference of BRANDS) {
    const brand = await entryOf(sandbox, `/brands/${reference}`, account);
    if (brand !== undefined) view.set(`brand ${reference}`, brand);
  }
  for (const reference of CATEGORIES) {
    const category = await entryOf(sandbox, `/categories/${reference}`, account);
    // Without a word on it, a category is shown.
    if (category !== undefined) view.set(`category ${reference}`, { showInStoreFront: true, ...category });
  }
  const skus = new Map<string, string>();
  const factors = await saleStepsOf(sandbox, account);
  for (const reference of PRODUCTS) {
    const product = await shop.product(tenant, reference);
    if (product === null) continue;
    view.set(`product ${reference}`, asSent(product));
    for (const sku of product['skus'] as Content[]) {
      const name = String(sku['externalReference']);
      view.set(`sku ${name}`, {
        ...sku,
        unitOfMeasurement: sku['unitOfMeasure'],
        arithmeticFactor: factors.get(name),
      });
      skus.set(String(sku['id']), name);
    }
  }
  const nameOf = (skuId: unknown) => skus.get(String(skuId)) ?? `unknown (${String(skuId)})`;
  // The newest come last.
  for (const price of await recordsOf(sandbox, 'SKUPricing', account))
    view.set(`price ${nameOf(price['skuId'])} ${String(price['commercialPolicyId'])}`, price);
  for (const warehouse of await recordsOf(sandbox, 'Warehouse', account))
    view.set(`warehouse ${String(warehouse['id'])}`, warehouse);
  for (const stock of await recordsOf(sandbox, 'WarehouseSKU', account))
    view.set(`stock ${nameOf(stock['skuId'])} ${String(stock['warehouseId'])}`, stock);
  return view;
}

async function entryOf(sandbox: TestSandbox, path: string, account: string): Promise<Content | undefined> {
  return (await sandbox.admin('GET', `${path}?contractAccountId=${account}`)) as Content | undefined;
}

async function recordsOf(sandbox: TestSandbox, entity: string, account: string): Promise<Content[]> {
  return (await sandbox.admin('GET', `/records/${entity}?contractAccountId=${account}`)) as Content[];
}

/** The read model does not show them. */
async function saleStepsOf(sandbox: TestSandbox, account: string): Promise<ReadonlyMap<string, unknown>> {
  const products = (await sandbox.admin('GET', `/products?contractAccountId=${account}`)) as { skus: Content[] }[];
  return new Map(
    products.flatMap(({ skus }) => skus.map((sku) => [String(sku['externalReference']), sku['saleStep']] as const)),
  );
}

function asSent(product: Content): Content {
  const named = [OF_BRAND, OF_CATEGORY].map(([from, to]) => [
    to,
    (product[from] as Content | null)?.['externalReference'] ?? null,
  ]);
  return { ...product, ...(Object.fromEntries(named) as Content), commercialPolicyId: product['commercialPoliticId'] };
}
