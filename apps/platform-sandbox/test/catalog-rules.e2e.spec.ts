import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brandItem, categoryItem, productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

type Fields = Record<string, unknown>;

describe('the rules of the catalog', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  async function loaded(...items: Fields[]): Promise<void> {
    await shop.load(merchant, items);
    await shop.idle();
  }

  async function model(reference = '4711'): Promise<Fields & { skus: Fields[] }> {
    const path = `/v1/batch/Products/${encodeURIComponent(reference)}`;
    return (await shop.call('GET', path, { headers: merchant.headers })).json as Fields & { skus: Fields[] };
  }

  async function category(reference: string): Promise<Fields> {
    const path = `/categories/${reference}?contractAccountId=${merchant.contractAccountId}`;
    return (await shop.admin('GET', path)) as Fields;
  }

  it('externalReference is the idempotency key of products and SKUs: sent twice, they are the same ones', async () => {
    merchant = await shop.merchant();
    const item = productItem({ skus: [skuItem(), unitSkuItem()] });
    await loaded(item);
    const first = await model();
    await loaded(item);
    const second = await model();
    expect({ ...second, updatedAt: first.updatedAt }).toEqual(first);
    expect(
      shop
        .envelopesOf(merchant)
        .map(({ eventType }) => eventType)
        .toSorted(),
    ).toEqual(['ProductWithSKUs_Created', 'ProductWithSKUs_Updated']);
  });

  it('externalReference is the idempotency key of categories', async () => {
    merchant = await shop.merchant();
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', [categoryItem()]);
    await shop.idle();
    const first = await category('frios');
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', [categoryItem({ position: 9 })]);
    await shop.idle();
    expect(await category('frios')).toEqual({ ...first, position: 9 });
  });

  it('a key with an unknown name is silently ignored, prices and stock on a product included', async () => {
    merchant = await shop.merchant();
    const unknown = { price: 9.9, stock: 3, somethingElse: { deep: true } };
    await loaded(productItem({ ...unknown, skus: [skuItem({ ...unknown, externalReference: 'a' })] }));
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem(unknown)]);
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', [categoryItem(unknown)]);
    await shop.idle();
    expect(shop.envelopesOf(merchant).map(({ eventType }) => eventType)).toEqual(['ProductWithSKUs_Created']);
    const product = await model();
    for (const key of Object.keys(unknown)) {
      expect(product).not.toHaveProperty(key);
      expect(product.skus[0]).not.toHaveProperty(key);
    }
  });

  it('a read model that is sent back untranslated loses only the differently named fields', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ skus: [skuItem()] }));
    const before = await model();
    const policy = '00000000-0000-4000-8000-000000000009';
    const [sku] = before.skus;
    await loaded({
      ...before,
      commercialPoliticId: policy,
      title: 'Outro título',
      skus: [{ ...sku, unitOfMeasure: 'Un', name: 'Outro nome' }],
    });
    const after = await model();
    expect(after).toMatchObject({ commercialPoliticId: before.commercialPoliticId, title: 'Outro título' });
    expect(after.skus).toMatchObject([{ unitOfMeasure: 'Kg', name: 'Outro nome' }]);
  });

  it('the read model has exactly the fields of the document, in product, brand, category and SKU', async () => {
    merchant = await shop.merchant();
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem()]);
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', [categoryItem()]);
    const named = { brandExternalReference: 'queijaria', categoryExternalReference: 'frios' };
    await loaded(productItem({ ...named, skus: [skuItem()] }));
    const product = await model();
    expect(Object.keys(product).toSorted()).toEqual(
      (
        'active approvedByUserId brand brandId category categoryId characteristics commercialPoliticId contractAccountId createdAt ' +
        'displayInSite displayInSoldOut ean externalReference fiscalCode hasImage id longDescription name punctuation shortDescription ' +
        'similarTerms skus slug title updatedAt'
      ).split(' '),
    );
    expect(product.brand).toEqual({ id: product.brandId, name: 'Queijaria Teste', externalReference: 'queijaria' });
    expect(product.category).toEqual({ id: product.categoryId, name: 'Frios', externalReference: 'frios' });
    expect(Object.keys(product.skus[0] ?? {}).toSorted()).toEqual(
      (
        'active arrivalDate ean externalReference heightForFreight heightReal id lengthForFreight lengthReal manufacturerCode name ' +
        'reference unitOfMeasure weightForFreight weightReal widthForFreight widthReal'
      ).split(' '),
    );
  });

  it('the read model shows each field as it was sent, in product and SKU', async () => {
    merchant = await shop.merchant();
    const { commercialPolicyId: _policy, ...product } = productItem({
      similarTerms: 'queijo, branco',
      characteristics: [{ any: 'thing' }],
      fiscalCode: '0406.10.10',
      ean: '789',
      displayInSite: true,
      displayInSoldOut: true,
      active: true,
    });
    await loaded({ ...productItem(), ...product, skus: [skuItem()] });
    const { arithmeticFactor: _factor, unitOfMeasurement: unitOfMeasure, ...sku } = skuItem();
    expect(await model()).toMatchObject({ ...product, skus: [{ ...sku, unitOfMeasure, active: true }] });
  });

  it('a SKU that is sent under another reference is another SKU, and the first one stays', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ skus: [skuItem()] }));
    const [first] = (await model()).skus;
    await loaded({ externalReference: '4711', skus: [skuItem({ externalReference: 'moved' })] });
    const { skus } = await model();
    expect(skus).toMatchObject([{ id: first?.id, externalReference: '4711-1' }, { externalReference: 'moved' }]);
    expect(skus[1]?.id).not.toBe(first?.id);
  });

  it('active true or false alone brings a product into circulation and takes it out', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ skus: [skuItem()] }));
    const visible = async (): Promise<unknown> => {
      const path = `/products/4711?contractAccountId=${merchant.contractAccountId}`;
      return ((await shop.admin('GET', path)) as { visible: boolean }).visible;
    };
    const seen: unknown[] = [await visible()];
    for (const active of [false, true]) {
      await loaded({ externalReference: '4711', active });
      seen.push(await visible());
    }
    expect(seen).toEqual([true, false, true]);
  });

  it('displayInSite false hides a product without deleting it', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ displayInSite: false, skus: [skuItem()] }));
    const path = `/products/4711?contractAccountId=${merchant.contractAccountId}`;
    expect(await shop.admin('GET', path)).toMatchObject({ visible: false, hiddenBecause: 'displayInSite is false' });
    expect((await model()).active).toBe(true);
  });

  it('a rejected product is stored with all its SKUs when it is corrected and sent again', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ title: 'x', skus: [skuItem(), unitSkuItem()] }));
    expect(await model()).not.toHaveProperty('id');
    await loaded(productItem({ skus: [skuItem(), unitSkuItem()] }));
    expect(shop.envelopesOf(merchant, 'ProductWithSKUs_Created')).toMatchObject([
      { data: { skus: { total: 2, successful: 2, failed: 0, successfulSKUs: ['4711-1', '1208-1'] } } },
    ]);
  });

  it('a rejected update changes nothing, tries no SKU and is notified as ProductWithSKUs_UpdateFailed', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ skus: [skuItem()] }));
    const before = await model();
    await loaded({ externalReference: '4711', title: 'x', skus: [unitSkuItem()] });
    expect(await model()).toEqual(before);
    expect(shop.envelopesOf(merchant, 'ProductWithSKUs_UpdateFailed')).toMatchObject([
      {
        data: {
          product: { processed: false },
          skus: { total: 1, successful: 0, failed: 0 },
          summary: { status: 'Failed' },
        },
      },
    ]);
  });

  it('a success carries the whole report, and no error', async () => {
    merchant = await shop.merchant();
    const operationId = await shop.load(merchant, [productItem({ skus: [skuItem()] })]);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toEqual([
      {
        operationId,
        contractAccountId: merchant.contractAccountId,
        relatedEntity: 'ProductWithSKUs',
        eventType: 'ProductWithSKUs_Created',
        data: {
          product: { externalReference: '4711', name: 'Queijo Minas Frescal', processed: true, error: null },
          skus: { total: 1, successful: 1, failed: 0, successfulSKUs: ['4711-1'], failedSKUs: [] },
          summary: {
            status: 'Success',
            processedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          },
        },
      },
    ]);
  });

  it('an error holds the core’s status code, its raw body, the problem details and each rejected property', async () => {
    merchant = await shop.merchant();
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem({ name: undefined, title: undefined })]);
    await shop.idle();
    const [notified] = shop.envelopesOf(merchant);
    const { error } = notified ?? {};
    expect(Object.keys(notified ?? {})).toEqual([
      'operationId',
      'contractAccountId',
      'relatedEntity',
      'eventType',
      'data',
      'error',
    ]);
    expect(error).toEqual({
      statusCode: 400,
      message: expect.any(String),
      title: 'Bad Request',
      detail: expect.any(String),
      instance: expect.stringMatching(/^\/v1\/gateway\//),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      validationErrors: [
        { id: 1, key: 'Name', validation: expect.any(String) },
        { id: 2, key: 'Title', validation: expect.any(String) },
      ],
    });
    expect(JSON.parse(String(error?.message))).toMatchObject({ status: 400, title: 'Bad Request' });
  });

  it('references of any characters are found by their percent-encoded form', async () => {
    merchant = await shop.merchant();
    await loaded(productItem({ externalReference: 'a/b ç?#%' }));
    expect((await model('a/b ç?#%')).externalReference).toBe('a/b ç?#%');
  });
});
