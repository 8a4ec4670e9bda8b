import { randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, record } from 'fast-check';
import { brandItem, categoryItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const PRICE = { skuId: '0b5c1f0e-0000-4000-8000-000000000001', commercialPolicyId: 'p-1', salePrice: 39.9 };
const WAREHOUSE = { id: 'cd-01', name: 'Centro de Teste' };
const STOCK = { warehouse: 'cd-01', sku: '4711-1', quantity: 12.5 };

const ROUTES = [
  ['/v1/batch/Pricing', 'SKUPricing', PRICE],
  ['/v1/batch/Warehouses', 'Warehouse', WAREHOUSE],
  ['/v1/batch/Warehouses/sku', 'WarehouseSKU', STOCK],
] as const;

describe('prices, warehouses and stock', () => {
  let shop: Shop;
  let defaults: unknown;

  beforeAll(async () => {
    shop = await Shop.open();
    defaults = await shop.admin('GET', '/switches');
  });
  afterEach(async () => {
    await shop.admin('DELETE', '/faults');
    await shop.admin('POST', '/switches', defaults);
  });
  afterAll(() => shop.close());

  async function sent(merchant: Merchant, path: string, body: unknown): Promise<string> {
    const operationId = await shop.accepted(merchant, 'POST', path, body);
    await shop.idle();
    return operationId;
  }

  function stored({ contractAccountId }: Merchant, entity: string): Promise<unknown> {
    return shop.admin('GET', `/records/${entity}?contractAccountId=${contractAccountId}`);
  }

  /** Unit price of a purchase, or its refusal. */
  async function paid(merchant: Merchant, item: object = {}): Promise<unknown> {
    const { contractAccountId } = merchant;
    const items = [{ skuExternalReference: '4711-1', quantity: 1, ...item }];
    const order = await shop.call('POST', '/admin/orders', {
      body: { contractAccountId, items, payment: 'approved' },
    });
    if (order.status !== 201) return order.json;
    const { number } = order.json as { number: number };
    const { items: lines } = (await shop.admin('GET', `/orders/${number}`)) as { items: { unitPrice: number }[] };
    return lines[0]?.unitPrice;
  }

  describe.each(ROUTES)('POST %s', (path, entity, record) => {
    it.each([[[]], [[record]], [record], [[1, null, 'x']], ['"text"'], [null]])(
      'answers an operation id for any body: %j',
      async (body) => {
        const merchant = await shop.merchant();
        const answer = await shop.call('POST', path, { body: JSON.stringify(body), headers: merchant.headers });
        expect(answer).toMatchObject({ status: 200, json: { operationId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
        expect(Object.keys(answer.json as object)).toEqual(['operationId']);
      },
    );

    it('stores records unchanged, unknown keys and nulls included, and causes no notification', async () => {
      const merchant = await shop.merchant();
      const whole = { ...record, anything: null, deep: [{ x: 1 }] };
      await sent(merchant, path, [whole]);
      expect(await stored(merchant, entity)).toEqual([whole]);
      expect(shop.envelopesOf(merchant)).toEqual([]);
    });

    it('notifies of stored records if the switch is set, with the sent record as data', async () => {
      const merchant = await shop.merchant();
      await shop.admin('POST', '/switches', { successEvents: 'notified' });
      const operationId = await sent(merchant, path, [record]);
      const again = await sent(merchant, path, [record]);
      const notified = shop.envelopesOf(merchant);
      expect(notified.find((one) => one.operationId === operationId)).toEqual({
        operationId,
        contractAccountId: merchant.contractAccountId,
        relatedEntity: entity,
        eventType: `${entity}_Created`,
        data: record,
      });
      expect(notified.find((one) => one.operationId === again)?.eventType).toBe(`${entity}_Updated`);
    });

    it('notifies of a refused item with the error in the envelope, and stores the others of the batch', async () => {
      const merchant = await shop.merchant();
      const operationId = await sent(merchant, path, [7, record]);
      expect(shop.envelopesOf(merchant)).toMatchObject([
        {
          operationId,
          relatedEntity: entity,
          eventType: `${entity}_CreationFailed`,
          data: 7,
          error: { statusCode: 400 },
        },
      ]);
      expect(await stored(merchant, entity)).toEqual([record]);
    });

    it('is rejected without any of the keys that the switch requires', async () => {
      const merchant = await shop.merchant();
      const { requiredOfRecord } = defaults as { requiredOfRecord: Record<string, string[]> };
      const keys = [...Object.keys(record), 'source'];
      await shop.admin('POST', '/switches', { requiredOfRecord: { ...requiredOfRecord, [entity]: keys } });
      const whole = { ...record, source: 'erp' };
      await sent(merchant, path, [{ ...record, source: null }, whole]);
      expect(shop.envelopesOf(merchant)).toMatchObject([
        {
          eventType: `${entity}_CreationFailed`,
          error: { statusCode: 400, validationErrors: [{ key: 'source', validation: "'source' is required." }] },
        },
      ]);
      expect(await stored(merchant, entity)).toEqual([whole]);
    });

    it('is refused on demand, with the identity of the record as data', async () => {
      const merchant = await shop.merchant();
      await shop.admin('POST', '/faults', [{ route: `^POST ${path}$`, kind: 'refuse', status: 409, times: 1 }]);
      await sent(merchant, path, [record]);
      expect(shop.envelopesOf(merchant)).toMatchObject([
        { relatedEntity: entity, eventType: `${entity}_CreationFailed`, data: record, error: { statusCode: 409 } },
      ]);
      expect(await stored(merchant, entity)).toEqual([]);
    });

    it('moves to the path that the switch names', async () => {
      const merchant = await shop.merchant();
      const { batchPaths } = defaults as { batchPaths: Record<string, string> };
      await shop.admin('POST', '/switches', { batchPaths: { ...batchPaths, [entity]: `moved/${entity}` } });
      await sent(merchant, `/v1/batch/moved/${entity}`, [record]);
      expect(await stored(merchant, entity)).toEqual([record]);
      const old = await shop.call('POST', path, { body: [record], headers: merchant.headers });
      expect(old).toMatchObject({ status: 404, json: { error: { code: 'ROUTE_UNKNOWN' } } });
    });

    it('answers 400 to a body that is not JSON', async () => {
      const merchant = await shop.merchant();
      expect((await shop.call('POST', path, { body: '{', headers: merchant.headers })).status).toBe(400);
    });
  });

  it('a price is identified by skuId and commercialPolicyId, a warehouse by id: the same one again replaces it', async () => {
    const merchant = await shop.merchant();
    const otherPolicy = { ...PRICE, commercialPolicyId: 'p-2' };
    await sent(merchant, '/v1/batch/Pricing', [PRICE, otherPolicy, { ...PRICE, salePrice: 42 }]);
    expect(await stored(merchant, 'SKUPricing')).toEqual([otherPolicy, { ...PRICE, salePrice: 42 }]);
    await sent(merchant, '/v1/batch/Warehouses', [WAREHOUSE, { ...WAREHOUSE, name: 'Outro' }]);
    expect(await stored(merchant, 'Warehouse')).toEqual([{ ...WAREHOUSE, name: 'Outro' }]);
  });

  it('stock is identified by its SKU and warehouse: the newest one replaces it, also with an earlier value', async () => {
    const merchant = await shop.merchant();
    const other = { ...STOCK, warehouse: 'cd-02' };
    for (const quantity of [12, 8, 12]) {
      await sent(merchant, '/v1/batch/Warehouses/sku', [{ ...STOCK, quantity }, other]);
    }
    expect(await stored(merchant, 'WarehouseSKU')).toEqual([{ ...STOCK, quantity: 12 }, other]);
  });

  it('a record that names nothing is only replaced by an equal one', async () => {
    const merchant = await shop.merchant();
    await sent(merchant, '/v1/batch/Warehouses/sku', [{ quantity: 1 }, { quantity: 2 }, { quantity: 1 }]);
    expect(await stored(merchant, 'WarehouseSKU')).toEqual([{ quantity: 2 }, { quantity: 1 }]);
  });

  describe('the shelf', () => {
    type Shown = Readonly<Record<'price' | 'promotionalPrice' | 'stock', unknown>>;

    async function shelf({ contractAccountId }: Merchant): Promise<Shown | undefined> {
      const products = await shop.admin('GET', `/products?contractAccountId=${contractAccountId}`);
      const [sku] = (products as { skus: Shown[] }[])[0]?.skus ?? [];
      return sku && { price: sku.price, promotionalPrice: sku.promotionalPrice, stock: sku.stock };
    }

    it('shows the value that the core took last, whatever came before it', async () => {
      const seed = Number(process.env['SHELF_SEED'] ?? randomInt(2 ** 31));
      await assert(
        asyncProperty(
          array(record({ price: constantFrom(8, 12), stock: constantFrom(8, 12), warehouse: constantFrom('a', 'b') }), {
            minLength: 1,
            maxLength: 6,
          }),
          async (changes) => {
            const merchant = await shop.stockedMerchant();
            const stocks = new Map<string, number>();
            for (const { price, stock, warehouse } of changes) {
              stocks.set(warehouse, stock);
              await sent(merchant, '/v1/batch/Pricing', [{ skuExternalReference: '4711-1', price }]);
              await sent(merchant, '/v1/batch/Warehouses/sku', [
                { skuExternalReference: '4711-1', warehouseId: warehouse, quantity: stock },
              ]);
            }
            const total = [...stocks.values()].reduce((sum, one) => sum + one, 0);
            expect(await shelf(merchant)).toMatchObject({ price: changes.at(-1)?.price, stock: total });
            expect(await stored(merchant, 'SKUPricing')).toHaveLength(1);
            expect(await stored(merchant, 'WarehouseSKU')).toHaveLength(stocks.size);
          },
        ),
        { seed, numRuns: 25 },
      );
    });

    it('shows the newest of a SKU that was named in several ways', async () => {
      const merchant = await shop.stockedMerchant();
      const model = await shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers });
      const skuId = (model.json as { skus: { id: string }[] }).skus[0]?.id;
      const names = [{ skuId }, { skuExternalReference: '4711-1' }, { skuId }];
      for (const [index, name] of names.entries()) {
        await sent(merchant, '/v1/batch/Pricing', [{ ...name, price: 10 + index }]);
        await sent(merchant, '/v1/batch/Warehouses/sku', [{ ...name, warehouseId: 'cd-01', quantity: index }]);
      }
      expect(await shelf(merchant)).toMatchObject({ price: 12, stock: 2 });
    });

    it.each([
      ['39.90', 39.9],
      ['7', 7],
      [39.9, 39.9],
      ['39,90', null],
      ['R$ 5', null],
      [true, null],
    ])('shows %j as %j', async (given, shown) => {
      const merchant = await shop.stockedMerchant();
      await sent(merchant, '/v1/batch/Pricing', [
        { skuExternalReference: '4711-1', price: given, promotionalPrice: given },
      ]);
      await sent(merchant, '/v1/batch/Warehouses/sku', [{ skuExternalReference: '4711-1', quantity: given }]);
      expect(await shelf(merchant)).toEqual({ price: shown, promotionalPrice: shown, stock: shown });
    });
  });

  it('records belong to one merchant, and only the three kinds exist', async () => {
    const [one, other] = [await shop.merchant(), await shop.merchant()];
    await sent(one, '/v1/batch/Warehouses', [WAREHOUSE]);
    expect(await stored(other, 'Warehouse')).toEqual([]);
    expect((await shop.call('GET', '/admin/records/Brand')).status).toBe(400);
  });

  it('stored brands and categories are notified if the switch is set, with the core’s id', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/switches', { successEvents: 'notified' });
    await sent(merchant, '/v1/batch/Brands', [brandItem()]);
    await sent(merchant, '/v1/batch/Categories', [
      categoryItem({ children: [categoryItem({ externalReference: 'q' })] }),
    ]);
    await sent(merchant, '/v1/batch/Brands', [brandItem({ name: 'Outra' })]);
    const notified = shop.envelopesOf(merchant).map(({ eventType, data }) => [eventType, data.externalReference]);
    expect(notified).toHaveLength(4);
    expect(notified).toEqual(
      expect.arrayContaining([
        ['Brand_Created', 'queijaria'],
        ['Category_Created', 'frios'],
        ['Category_Created', 'q'],
        ['Brand_Updated', 'queijaria'],
      ]),
    );
    expect(shop.envelopesOf(merchant, 'Brand_Created')[0]?.data.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  describe('the shopper', () => {
    it('pays the price that the merchant sent last, the promotional one while there is one', async () => {
      const merchant = await shop.stockedMerchant();
      const prices = [{ price: '39.90' }, { price: '39.90', promotionalPrice: 33.9 }, { price: '39.90' }];
      const paidEach: unknown[] = [await paid(merchant)];
      for (const price of prices) {
        await sent(merchant, '/v1/batch/Pricing', [{ skuExternalReference: '4711-1', ...price }]);
        paidEach.push(await paid(merchant));
      }
      expect(paidEach).toEqual([9.9, 39.9, 33.9, 39.9]);
      expect(await paid(merchant, { unitPrice: '0.0399' })).toBe(0.0399);
    });

    it('buys what a warehouse has, and not what has run out in all', async () => {
      const merchant = await shop.stockedMerchant();
      const stock = async (warehouseId: string, quantity: number): Promise<void> => {
        const body = [{ skuExternalReference: '4711-1', warehouseId, quantity }];
        await sent(merchant, '/v1/batch/Warehouses/sku', body);
      };
      await stock('a', 0);
      await stock('b', 3);
      expect(await paid(merchant)).toBe(9.9);
      await stock('b', 0);
      expect(await paid(merchant)).toEqual({
        error: { code: 'ORDER_INVALID', message: '4711-1: it is sold out in every warehouse' },
      });
      await stock('a', 1);
      expect(await paid(merchant)).toBe(9.9);
    });
  });
});
