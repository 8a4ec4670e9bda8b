import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7}$/;

describe('the catalog routes', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  async function read(merchant: Merchant, reference: string): Promise<Record<string, unknown>> {
    const path = `/v1/batch/Products/${encodeURIComponent(reference)}`;
    const { status, json } = await shop.call('GET', path, { headers: merchant.headers });
    expect(status).toBe(200);
    return json as Record<string, unknown>;
  }

  it('a batch of products is answered 200 with a GUID as a bare JSON text', async () => {
    const merchant = await shop.merchant();
    const answer = await shop.call('POST', '/v1/batch/Products', { body: [productItem()], headers: merchant.headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.text).toBe(JSON.stringify(answer.json));
    expect(answer.json).toMatch(GUID);
  });

  it.each([[[]], [[{}]], [[1, null, 'x']], [{}], ['"text"'], [[{ externalReference: 'a\u0000b', slug: '\u0000' }]]])(
    'a batch of %j is answered 200, because its content is not validated',
    async (body) => {
      const merchant = await shop.merchant();
      const answer = await shop.call('POST', '/v1/batch/Products', { body, headers: merchant.headers });
      expect(answer).toMatchObject({ status: 200, json: expect.stringMatching(GUID) });
    },
  );

  it.each(['{', ''])('a body %j, which is not JSON, is a 500, because 400 never occurs', async (body) => {
    const merchant = await shop.merchant();
    const headers = { ...merchant.headers, 'content-type': 'application/json' };
    const answer = await shop.call('POST', '/v1/batch/Products', { body, headers });
    expect(answer).toMatchObject({ status: 500, json: { error: { code: 'NOT_JSON' } } });
  });

  it('the obsolete deletion always fails with 500 and deletes nothing', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    const answer = await shop.call('DELETE', '/v1/batch/Products', { body: ['4711'], headers: merchant.headers });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(
      'Product deletion is now handled through ProductWithSKUs flow. This method is obsolete.',
    );
    expect((await read(merchant, '4711')).externalReference).toBe('4711');
  });

  it('a missing product is a 404', async () => {
    const merchant = await shop.merchant();
    const answer = await shop.call('GET', '/v1/batch/Products/none', { headers: merchant.headers });
    expect(answer).toMatchObject({ status: 404, json: { error: { code: 'PRODUCT_UNKNOWN' } } });
    const odd = await shop.call('GET', '/v1/batch/Products/a%00b', { headers: merchant.headers });
    expect(odd.status).toBe(404);
  });

  it('a product is read back as one object, with the misspelt names and local times without a zone', async () => {
    const merchant = await shop.merchant();
    const sentAt = Date.now();
    await shop.load(merchant, [productItem({ externalReference: 'Ação/1 %', skus: [skuItem()] })]);
    await shop.idle();
    const model = await read(merchant, 'Ação/1 %');
    expect(model).toMatchObject({
      id: expect.stringMatching(GUID),
      contractAccountId: merchant.contractAccountId,
      commercialPoliticId: productItem().commercialPolicyId,
      createdAt: expect.stringMatching(LOCAL),
      updatedAt: expect.stringMatching(LOCAL),
      active: true,
      hasImage: false,
      approvedByUserId: null,
      skus: [{ externalReference: '4711-1', unitOfMeasure: 'Kg', weightReal: 1 }],
    });
    expect(model).not.toHaveProperty('commercialPolicyId');
    const utc = Date.parse(`${String(model.createdAt).slice(0, 23)}-03:00`);
    expect(utc).toBeGreaterThanOrEqual(sentAt);
    expect(utc).toBeLessThanOrEqual(Date.now());
  });

  it('a product whose brand and category do not exist is created without them', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ brandExternalReference: 'none', categoryExternalReference: 'none' })]);
    await shop.idle();
    expect(await read(merchant, '4711')).toMatchObject({
      brandId: null,
      brand: null,
      categoryId: null,
      category: null,
    });
    expect(shop.envelopesOf(merchant).map(({ eventType }) => eventType)).toEqual(['ProductWithSKUs_Created']);
  });

  it('a batch yields one notification per product, all with the operation id of its answer', async () => {
    const merchant = await shop.merchant();
    const items = ['a', 'b', 'c'].map((reference) =>
      productItem({ externalReference: reference, slug: reference, skus: [skuItem({ externalReference: reference })] }),
    );
    const operationId = await shop.load(merchant, items);
    await shop.idle();
    const envelopes = shop.envelopesOf(merchant);
    expect(new Set(envelopes.map((envelope) => envelope.operationId))).toEqual(new Set([operationId]));
    const references = envelopes.map(({ data }) => (data.product as Record<string, unknown>).externalReference);
    expect(new Set(references)).toEqual(new Set(['a', 'b', 'c']));
    expect(references).toHaveLength(3);
    expect(Object.keys(envelopes[0] ?? {})).toEqual([
      'operationId',
      'contractAccountId',
      'relatedEntity',
      'eventType',
      'data',
    ]);
  });

  it('an update changes only the keys that are present, and null differs from absent', async () => {
    const merchant = await shop.merchant();
    const text = JSON.stringify([productItem({ ean: '789', similarTerms: 'queijo', skus: [skuItem()] })]);
    await shop.load(merchant, text.replace('"weightReal":1,', '"weightReal":1.50,'));
    await shop.load(merchant, [{ externalReference: '4711', active: false, ean: null }]);
    await shop.idle();
    const { text: raw } = await shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers });
    expect(JSON.parse(raw)).toMatchObject({
      active: false,
      ean: null,
      similarTerms: 'queijo',
      title: productItem().title,
    });
    expect(raw).toContain('"weightReal":1.50,');
    expect(shop.envelopesOf(merchant, 'ProductWithSKUs_Updated')).toMatchObject([
      { data: { product: { name: productItem().name }, skus: { total: 0 }, summary: { status: 'Success' } } },
    ]);
  });

  it('if the product fails, no SKU is tried, and the report has 0 failed SKUs', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ name: 'x', punctuation: -1, skus: [skuItem()] })]);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toEqual([
      expect.objectContaining({
        relatedEntity: 'ProductWithSKUs',
        eventType: 'ProductWithSKUs_CreationFailed',
        data: {
          product: {
            externalReference: '4711',
            name: 'x',
            processed: false,
            error: expect.objectContaining({
              statusCode: 400,
              validationErrors: [
                { id: 1, key: 'Name', validation: expect.any(String) },
                { id: 2, key: 'Punctuation', validation: expect.any(String) },
              ],
            }),
          },
          skus: { total: 1, successful: 0, failed: 0, successfulSKUs: [], failedSKUs: [] },
          summary: { status: 'Failed', processedAt: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/) },
        },
      }),
    ]);
    expect(shop.envelopesOf(merchant)[0]).not.toHaveProperty('error');
    expect((await shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers })).status).toBe(404);
  });

  it('a product is stored although some of its SKUs are rejected', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ skus: [skuItem({ ean: '' }), unitSkuItem()] })]);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toMatchObject([
      {
        eventType: 'ProductWithSKUs_PartiallyFailed',
        data: {
          product: { processed: true, error: null },
          skus: {
            total: 2,
            successful: 1,
            failed: 1,
            successfulSKUs: ['1208-1'],
            failedSKUs: [{ externalReference: '4711-1', error: { validationErrors: [{ key: 'EAN' }] } }],
          },
          summary: { status: 'PartialFailure' },
        },
      },
    ]);
    expect((await read(merchant, '4711')).skus).toMatchObject([{ externalReference: '1208-1' }]);
  });

  it('a slug is unique within a merchant', async () => {
    const merchant = await shop.merchant();
    const other = await shop.merchant();
    const items = [productItem(), productItem({ externalReference: '4712' })];
    await shop.load(merchant, items);
    await shop.load(other, [productItem()]);
    await shop.idle();
    expect(shop.envelopesOf(merchant, 'ProductWithSKUs_CreationFailed')).toMatchObject([
      { data: { product: { externalReference: '4712', error: { validationErrors: [{ key: 'Slug' }] } } } },
    ]);
    expect(shop.envelopesOf(other, 'ProductWithSKUs_Created')).toHaveLength(1);
  });

  it('the admin API shows a product and why it is hidden', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ externalReference: 'hidden-1', active: false, skus: [skuItem()] })]);
    await shop.idle();
    expect(await shop.admin('GET', '/products/hidden-1')).toMatchObject({
      externalReference: 'hidden-1',
      active: false,
      visible: false,
      hiddenBecause: 'active is false',
      readModel: { externalReference: 'hidden-1' },
      images: [],
    });
  });

  it('a NUL, which PostgreSQL cannot store, is rejected like any other invalid text', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ externalReference: 'n\u0000l' }), productItem()]);
    await shop.idle();
    expect(shop.envelopesOf(merchant, 'ProductWithSKUs_CreationFailed')).toMatchObject([
      {
        data: {
          product: { externalReference: 'n\u0000l', error: { validationErrors: [{ key: 'ExternalReference' }] } },
        },
      },
    ]);
    expect((await read(merchant, '4711')).externalReference).toBe('4711');
  });
});
