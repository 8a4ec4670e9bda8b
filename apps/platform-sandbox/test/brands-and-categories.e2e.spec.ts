import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brandItem, categoryItem, productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const BRANDS = '/v1/batch/Brands';
const CATEGORIES = '/v1/batch/Categories';

describe('brands and categories:', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  /** Loads brands or categories for a new merchant. */
  async function loaded(path: string, items: unknown): Promise<string> {
    merchant = await shop.merchant();
    const operationId = await shop.accepted(merchant, 'POST', path, items);
    await shop.idle();
    return operationId;
  }

  async function again(method: string, path: string, items: unknown): Promise<string> {
    const operationId = await shop.accepted(merchant, method, path, items);
    await shop.idle();
    return operationId;
  }

  function stored(path: string): Promise<unknown> {
    return shop.admin('GET', `/${path}?contractAccountId=${merchant.contractAccountId}`);
  }

  async function product(): Promise<Record<string, unknown>> {
    const { json } = await shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers });
    return json as Record<string, unknown>;
  }

  it.each([BRANDS, CATEGORIES])('POST %s answers an operation id in an envelope', async (path) => {
    merchant = await shop.merchant();
    const answer = await shop.call('POST', path, { body: [], headers: merchant.headers });
    expect(answer).toMatchObject({ status: 200, json: { operationId: expect.stringMatching(GUID) } });
    expect(Object.keys(answer.json as object)).toEqual(['operationId']);
  });

  it.each([
    ['POST', BRANDS],
    ['DELETE', BRANDS],
    ['POST', CATEGORIES],
  ])('%s %s accepts any JSON and no other body', async (method, path) => {
    merchant = await shop.merchant();
    for (const body of [[{}], [1, null, 'x\u0000'], {}, '"text"']) {
      const answer = await shop.call(method, path, { body, headers: merchant.headers });
      expect(answer).toMatchObject({ status: 200, json: { operationId: expect.any(String) } });
    }
    expect((await shop.call(method, path, { body: '{', headers: merchant.headers })).status).toBe(400);
    await shop.idle();
  });

  describe('brands', () => {
    it('a stored brand causes no notification', async () => {
      await loaded(BRANDS, [brandItem({ similarTerms: 'queijo' })]);
      expect(shop.envelopesOf(merchant)).toEqual([]);
      expect(await stored('brands/queijaria')).toEqual({
        ...brandItem({ similarTerms: 'queijo' }),
        id: expect.stringMatching(GUID),
      });
    });

    it.each([
      ['externalReference', 'ExternalReference'],
      ['name', 'Name'],
      ['title', 'Title'],
      ['description', 'Description'],
      ['punctuation', 'Punctuation'],
    ])('a brand without %s is rejected as Brand_CreationFailed, the error in the envelope', async (key, property) => {
      const operationId = await loaded(BRANDS, [brandItem({ [key]: undefined })]);
      const [envelope, ...others] = shop.envelopesOf(merchant);
      expect(others).toEqual([]);
      expect(envelope).toMatchObject({
        operationId,
        relatedEntity: 'Brand',
        eventType: 'Brand_CreationFailed',
        data: { externalReference: key === 'externalReference' ? null : 'queijaria' },
        error: { statusCode: 400, validationErrors: [{ id: 1, key: property, validation: expect.any(String) }] },
      });
      const keys = ['operationId', 'contractAccountId', 'relatedEntity', 'eventType', 'data', 'error'];
      expect(Object.keys(envelope ?? {})).toEqual(keys);
    });

    it.each([[1.5], ['5'], [null]])('punctuation is an integer: %j is rejected', async (punctuation) => {
      await loaded(BRANDS, [brandItem({ punctuation })]);
      expect(shop.envelopesOf(merchant)).toMatchObject([{ error: { validationErrors: [{ key: 'Punctuation' }] } }]);
    });

    it('the items of a batch are decided one by one', async () => {
      const items = ['a', 'b', 'c'].map((externalReference) => brandItem({ externalReference }));
      await loaded(BRANDS, [items[0], { ...items[1], name: '' }, items[2]]);
      expect(shop.envelopesOf(merchant).map(({ data }) => data.externalReference)).toEqual(['b']);
      expect(await stored('brands/c')).toMatchObject({ name: 'Queijaria Teste' });
    });

    it('externalReference is the key: a brand that is sent again has the same id and is replaced', async () => {
      await loaded(BRANDS, [brandItem({ similarTerms: 'queijo' })]);
      const { id } = (await stored('brands/queijaria')) as { id: string };
      await again('POST', BRANDS, [brandItem({ name: 'Outra' })]);
      expect(await stored('brands/queijaria')).toEqual({ ...brandItem({ name: 'Outra' }), id });
    });

    it('a product carries its brand, and loses it when the brand is removed', async () => {
      await loaded(BRANDS, [brandItem()]);
      await shop.load(merchant, [productItem({ brandExternalReference: 'queijaria', skus: [skuItem()] })]);
      await shop.idle();
      const { id } = (await stored('brands/queijaria')) as { id: string };
      expect(await product()).toMatchObject({
        brandId: id,
        brand: { id, name: 'Queijaria Teste', externalReference: 'queijaria' },
      });
      const { number } = await shop.buy(merchant);
      const { json } = await shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: merchant.headers });
      expect(json).toMatchObject({ items: [{ brandId: id, categoryId: null }] });

      await again('DELETE', BRANDS, ['queijaria']);
      expect(await product()).toMatchObject({ brandId: null, brand: null });
    });

    it('a removal of a missing brand is an Operation_Failed; the others of the list are removed', async () => {
      await loaded(BRANDS, [brandItem()]);
      const operationId = await again('DELETE', BRANDS, ['none', 'queijaria', 7]);
      await expect(stored('brands/queijaria')).rejects.toThrow('404');
      const failed = shop.envelopesOf(merchant, 'Operation_Failed');
      expect(failed).toMatchObject([
        { operationId, relatedEntity: 'Brand', error: { statusCode: 404 } },
        { operationId, relatedEntity: 'Brand', error: { statusCode: 404 } },
      ]);
      expect(new Set(failed.map(({ data }) => data.externalReference))).toEqual(new Set(['none', null]));
    });
  });

  describe('categories', () => {
    const TREE = categoryItem({
      children: [
        categoryItem({ externalReference: 'queijos', children: [categoryItem({ externalReference: 'frescos' })] }),
        categoryItem({ externalReference: 'iogurtes' }),
      ],
    });

    it('a category is stored with each of its fields as sent', async () => {
      await loaded(CATEGORIES, [categoryItem({ activeStoreFrontLink: false, position: 7 })]);
      expect(await stored('categories/frios')).toMatchObject(
        categoryItem({ activeStoreFrontLink: false, position: 7 }),
      );
    });

    it('a whole tree is sent in one call through children', async () => {
      await loaded(CATEGORIES, [TREE]);
      expect(shop.envelopesOf(merchant)).toEqual([]);
      expect(await stored('categories/frios')).toMatchObject({
        parentExternalReference: null,
        children: ['iogurtes', 'queijos'],
      });
      expect(await stored('categories/frescos')).toMatchObject({ parentExternalReference: 'queijos', children: [] });
    });

    it('a child that is sent alone is placed below its parent, and without the reference at the root', async () => {
      await loaded(CATEGORIES, [TREE]);
      const child = categoryItem({ externalReference: 'duros', parentExternalReference: 'queijos' });
      await again('POST', CATEGORIES, [child]);
      expect(await stored('categories/duros')).toMatchObject({ parentExternalReference: 'queijos' });
      await again('POST', CATEGORIES, [{ ...child, parentExternalReference: undefined }]);
      expect(await stored('categories/duros')).toMatchObject({ parentExternalReference: null });
    });

    it('a category hidden in the storefront exists, and is absent from the menu with its subcategories', async () => {
      await loaded(CATEGORIES, [{ ...TREE, showInStoreFront: false }]);
      expect(await stored('categories/frescos')).toMatchObject({ inMenu: false, showInStoreFront: true });
      await again('POST', CATEGORIES, [categoryItem()]);
      expect(await stored('categories/frescos')).toMatchObject({ inMenu: true });
    });

    it('a rejected category and its subcategories, which then lack their parent, are notified with the error in the envelope', async () => {
      const operationId = await loaded(CATEGORIES, [{ ...TREE, name: '' }, categoryItem({ externalReference: 'x' })]);
      const envelopes = shop.envelopesOf(merchant);
      expect(new Set(envelopes.map(({ data }) => data.externalReference))).toEqual(
        new Set(['frios', 'queijos', 'frescos', 'iogurtes']),
      );
      expect(envelopes.find(({ data }) => data.externalReference === 'frios')).toMatchObject({
        operationId,
        relatedEntity: 'Category',
        eventType: 'Category_CreationFailed',
        error: { statusCode: 400, validationErrors: [{ key: 'Name' }] },
      });
      expect(await stored('categories/x')).toMatchObject({ parentExternalReference: null });
    });

    it.each([
      [{ externalReference: null }, 'ExternalReference'],
      [{ parentExternalReference: 'none' }, 'ParentExternalReference'],
      [{ parentExternalReference: 7 }, 'ParentExternalReference'],
      [{ position: 1.5 }, 'Position'],
      [{ showInStoreFront: 'yes' }, 'ShowInStoreFront'],
      [{ children: 'x' }, 'Children'],
    ])('a category with %j is rejected', async (overrides, key) => {
      await loaded(CATEGORIES, [categoryItem(overrides)]);
      expect(shop.envelopesOf(merchant)).toMatchObject([{ error: { validationErrors: [{ key }] } }]);
    });

    it('a category below itself is rejected', async () => {
      await loaded(CATEGORIES, [TREE]);
      await again('POST', CATEGORIES, [
        categoryItem({ parentExternalReference: 'frescos' }),
        categoryItem({ externalReference: 'iogurtes', parentExternalReference: 'iogurtes' }),
      ]);
      expect(new Set(shop.envelopesOf(merchant).map(({ data }) => data.externalReference))).toEqual(
        new Set(['frios', 'iogurtes']),
      );
      expect(await stored('categories/frios')).toMatchObject({ parentExternalReference: null });
    });

    it('a product carries the category that existed when it was sent, and keeps it if the key is left out', async () => {
      await loaded(CATEGORIES, [TREE]);
      await shop.load(merchant, [productItem({ categoryExternalReference: 'later' })]);
      await again('POST', CATEGORIES, [categoryItem({ externalReference: 'later' })]);
      expect(await product()).toMatchObject({ categoryId: null, category: null });

      await shop.load(merchant, [{ externalReference: '4711', categoryExternalReference: 'frescos' }]);
      await shop.load(merchant, [{ externalReference: '4711', active: true }]);
      await shop.idle();
      const { id } = (await stored('categories/frescos')) as { id: string };
      expect(await product()).toMatchObject({
        categoryId: id,
        category: { id, name: 'Frios', externalReference: 'frescos' },
      });

      await shop.load(merchant, [{ externalReference: '4711', categoryExternalReference: null }]);
      await shop.idle();
      expect(await product()).toMatchObject({ categoryId: null });
    });
  });

  it('the core refuses on demand, with one event for each item', async () => {
    merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ kind: 'refuse', status: 422, times: 3 }]);
    await shop.accepted(merchant, 'POST', BRANDS, [brandItem()]);
    await shop.accepted(merchant, 'POST', CATEGORIES, [categoryItem()]);
    await shop.accepted(merchant, 'DELETE', BRANDS, ['queijaria']);
    await shop.idle();
    const notified = shop
      .envelopesOf(merchant)
      .map(({ eventType, error }) => `${eventType} ${String(error?.statusCode)}`);
    expect(new Set(notified)).toEqual(
      new Set(['Brand_CreationFailed 422', 'Category_CreationFailed 422', 'Operation_Failed 422']),
    );
  });
});
