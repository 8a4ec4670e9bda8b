import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem } from './support/catalog-items.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

/** Behaviour that the platform's document leaves open, each with its default and another setting (NOT-SHOWN.md). */
describe('the switches', () => {
  let shop: Shop;
  let defaults: unknown;

  beforeAll(async () => {
    shop = await Shop.open();
    defaults = await shop.admin('GET', '/switches');
  });
  afterEach(async () => {
    await shop.admin('POST', '/switches', defaults);
  });
  afterAll(() => shop.close());

  function set(switches: object): Promise<unknown> {
    return shop.admin('POST', '/switches', switches);
  }

  it('are kept over a restart and not over a reset, and unnamed ones do not change', async () => {
    await set({ authorization: 'with-scheme' });
    await shop.stop();
    await shop.start();
    const changed = await set({ refundsByItself: true });
    expect(changed).toEqual({ ...(defaults as object), authorization: 'with-scheme', refundsByItself: true });
    await shop.admin('POST', '/reset');
    expect(await shop.admin('GET', '/switches')).toEqual(defaults);
  });

  it.each([
    ['as-sent', 'a-token'],
    ['with-scheme', 'Bearer a-token'],
  ])('include authorization %s, with which a delivery carries %j', async (authorization, header) => {
    const merchant = await shop.merchant();
    await set({ authorization });
    const operationId = await shop.load(merchant, [productItem()]);
    await shop.idle();
    const webhook = shop.receiver.received.find(({ envelope }) => envelope.operationId === operationId);
    expect(webhook?.headers.authorization).toBe(header);
  });

  describe('of orders:', () => {
    let merchant: Merchant;

    beforeAll(async () => {
      merchant = await shop.stockedMerchant();
    });

    function call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
      return shop.call(method, path, { body, headers: { ...merchant.headers, ...headers } });
    }

    async function order(...statuses: number[]): Promise<number> {
      const { number } = await shop.buy(merchant);
      for (const status of statuses) await shop.admin('POST', `/orders/${number}/status`, { status });
      await shop.idle();
      return number;
    }

    async function statusAfter(number: number, status: string): Promise<number> {
      await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status });
      await shop.idle();
      return ((await shop.admin('GET', `/orders/${number}`)) as { status: number }).status;
    }

    // [statuses set before, patched status, resulting status if lenient, resulting status if strict]
    it.each([
      [[], 'ORDER_BEING_PREPARED', 400, 400],
      [[400], 'ORDER_BEING_PREPARED', 400, 400],
      [[600], 'ORDER_BEING_PREPARED', 400, 600],
      [[400], 'ORDER_INVOICED', 350, 400],
      [[400], 'DELIVERED', 700, 700],
      [[700], 'READY_FOR_PICKUP_OR_DELIVERY', 500, 500],
      [[600], 'SHIPPED', 600, 600],
      [[800], 'SHIPPED', 600, 600],
    ])('transitions: after %j a PATCH of %s leads to %d lenient and %d strict', async (way, name, lenient, strict) => {
      const numbers = [await order(...way), await order(...way)] as const;
      await set({ transitions: 'lenient' });
      expect(await statusAfter(numbers[0], name)).toBe(lenient);
      await set({ transitions: 'strict' });
      expect(await statusAfter(numbers[1], name)).toBe(strict);
    });

    it('transitions strict: a second start of separation is notified as Order_StatusUpdateFailed', async () => {
      const number = await order(400);
      await set({ transitions: 'strict' });
      await statusAfter(number, 'ORDER_BEING_PREPARED');
      const refused = shop
        .envelopesOf(merchant, 'Order_StatusUpdateFailed')
        .filter(({ data }) => data.number === number);
      expect(refused).toMatchObject([{ data: { status: 400 }, error: { statusCode: 409 } }]);
    });

    it('unpaidOrOver refused: an unpaid or finished order refuses picked items and statuses that are else accepted from any', async () => {
      const numbers = [(await shop.buy(merchant, { payment: 'refused' })).number, await order(800), await order(600)];
      await set({ unpaidOrOver: 'refused' });
      for (const number of numbers) {
        await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: 'DELIVERED' });
        await shop.accepted(merchant, 'PUT', `/v1/Orders/${number}`, { finalOrderPrice: 1, items: [] });
      }
      await shop.idle();
      const failures = numbers.map((number) => {
        const about = shop.envelopesOf(merchant).filter(({ data, error }) => data.number === number && error);
        return Object.fromEntries(about.map(({ eventType, error }) => [eventType, error?.statusCode]));
      });
      const both = { Order_StatusUpdateFailed: 409, Operation_Failed: 409 };
      expect(failures).toEqual([both, both, {}]);
      expect(shop.notifiedStatuses(merchant, numbers[2] ?? 0)).toEqual([300, 600, 700, 1300]);
    });

    it('unknownStatus by-400: a PATCH to an unknown status name is a 400 at once', async () => {
      const number = await order();
      await set({ unknownStatus: 'by-400' });
      const answer = await call('PATCH', `/v1/Orders/${number}/status`, { status: 'FLYING' });
      expect(answer).toMatchObject({ status: 400, json: { error: { code: 'STATUS_UNKNOWN' } } });
    });

    it.each([
      ['status', '{"status":400}'],
      ['code', '{"code":400}'],
      ['data', '{"data":{"status":400}}'],
      ['number', '400'],
      ['name', '"ORDER_BEING_PREPARED"'],
    ])('statusAnswer %s: GET status answers %s', async (statusAnswer, text) => {
      const number = await order(400);
      await set({ statusAnswer });
      const answer = await call('GET', `/v1/Orders/${number}/status`);
      expect(answer).toMatchObject({ status: 200, text });
      expect(answer.headers.get('content-type')).toContain('application/json');
    });

    it.each([
      ['status', { status: 'SHIPPED' }],
      ['newStatus', { newStatus: 'SHIPPED' }],
      ['', '"SHIPPED"'],
    ])('statusKey %j: a PATCH accepts %j and no other form', async (statusKey, body) => {
      const number = await order();
      await set({ statusKey });
      const other = await call('PATCH', `/v1/Orders/${number}/status`, { other: 'SHIPPED' });
      expect(other.status).toBe(400);
      await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, body);
      await shop.idle();
      expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 600]);
    });

    it.each([
      [{ items: 'items', quantity: 'quantity', price: 'price', total: 'total' }],
      [{ items: 'products', quantity: 'amount', price: 'unitValue', total: 'value' }],
    ])('pickingKeys: a PUT of picked items is read by the keys %j', async (pickingKeys) => {
      const number = await order();
      await set({ pickingKeys });
      const { items, quantity, price, total } = pickingKeys;
      const item = { skuExternalReference: '4711-1', unitOfMeasure: 'Kg', [quantity]: 0.5, [price]: 40, [total]: 20 };
      await shop.accepted(merchant, 'PUT', `/v1/Orders/${number}`, { finalOrderPrice: 20, [items]: [item] });
      await shop.idle();
      const read = await shop.admin('GET', `/orders/${number}`);
      expect(read).toMatchObject({ items: [{ quantity: 0.5, unitPrice: 40, total: 20 }], totals: { total: 20 } });
    });

    it('cancelReasonKey: a cancellation accepts any body, or only one with that text', async () => {
      const numbers = [await order(), await order()];
      await shop.accepted(merchant, 'POST', `/v1/Orders/${numbers[0]}/cancel`, undefined);
      await set({ cancelReasonKey: 'motivo' });
      for (const body of [undefined, { reason: 'x' }, { motivo: ' ' }, { motivo: 1 }]) {
        expect((await call('POST', `/v1/Orders/${numbers[1]}/cancel`, body)).status).toBe(400);
      }
      await shop.accepted(merchant, 'POST', `/v1/Orders/${numbers[1]}/cancel`, { motivo: 'desistência' });
      await shop.idle();
      expect(numbers.map((number) => shop.notifiedStatuses(merchant, number))).toEqual([
        [300, 750, 800],
        [300, 750, 800],
      ]);
    });

    it('payloadVersion: v2 is selected by the query, a header or the path, and only by that one', async () => {
      const number = await order();
      const path = `Orders/${number}/webhook-payload`;
      const versions = async (payloadVersion: string): Promise<unknown[]> => {
        await set({ payloadVersion });
        const answers = [
          await call('GET', `/v1/${path}`),
          await call('GET', `/v1/${path}?version=2`),
          await call('GET', `/v1/${path}`, undefined, { 'x-api-version': '2' }),
          await call('GET', `/v2/${path}`),
        ];
        return answers.map(({ status, json }) =>
          status === 200 ? ((json as { eventType?: number }).eventType === 14 ? 'v2' : 'v1') : status,
        );
      };
      expect(await versions('query')).toEqual(['v1', 'v2', 'v1', 404]);
      expect(await versions('header')).toEqual(['v1', 'v1', 'v2', 404]);
      expect(await versions('path')).toEqual(['v1', 'v1', 'v1', 'v2']);
    });

    it.each([
      ['orderInvoiced', { orderInvoiced: { number: '7' } }],
      ['notaFiscal', { orderInvoiced: null, notaFiscal: { number: '7' } }],
      [null, { orderInvoiced: null }],
    ])('registrationField %j: a registered invoice appears as %j', async (registrationField, shown) => {
      const number = await order(400);
      await set({ registrationField });
      const invoice = { number: '7', issuanceDate: '2026-11-20T13:15:00Z', value: 1245 };
      await call('PUT', `/v1/Orders/invoiced/${number}`, invoice);
      await shop.idle();
      const { json } = await call('GET', `/v1/Orders/${number}/webhook-payload`);
      expect(json).toMatchObject(shown);
    });

    it('fractionOfCent 5: totals have a third decimal, until a final price is reported', async () => {
      const number = await order(400);
      await set({ fractionOfCent: '5' });
      const total = async (): Promise<unknown> => {
        const { json } = await call('GET', `/v1/Orders/${number}/webhook-payload`);
        return (json as { acceptedOrderDetails: { total: number } }).acceptedOrderDetails.total;
      };
      expect(String(await total())).toMatch(/^\d+\.\d\d5$/);
      await call('PUT', `/v1/Orders/${number}`, { finalOrderPrice: 10.1 });
      await shop.idle();
      expect(await total()).toBe(10.1);
    });

    it('answersNotShown empty: calls without a documented answer are executed and answer 200 without a body', async () => {
      const number = await order();
      const { id } = (await shop.admin('GET', `/orders/${number}`)) as { id: string };
      await set({ answersNotShown: 'empty' });
      const answers = [
        await call('PATCH', `/v1/Orders/${number}/status`, { status: 'ORDER_BEING_PREPARED' }),
        await call('PUT', `/v1/Orders/${number}`, { finalOrderPrice: 10 }),
        await call('DELETE', '/v1/batch/Brands', []),
        await call('DELETE', '/v1/Storages/file/x', { fileType: 1, urls: ['x'] }),
        await call('DELETE', '/v1/Storages/delete/x'),
        await shop.upload(merchant, '/v1/Storages/image/upload?externalReference=x', {
          files: [{ content: 'x', type: 'image/png' }],
          method: 'DELETE',
        }),
        await shop.upload(merchant, `/v1/Storages/invoice/upload?orderId=${id}`, {
          files: [{ content: 'x', type: 'application/pdf' }],
        }),
      ];
      expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, '']));
      await shop.idle();
      expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 400, 1300]);
      const shown = await call('POST', '/v1/batch/Brands', []);
      expect(shown.json).toHaveProperty('operationId');
    });

    it.each([
      ['url', /^\{"url":"http[^"]*",/],
      ['text', /^"http[^"]*"$/],
      ['list', /^\["http[^"]*"\]$/],
      ['file', /^o PDF$/],
    ])('invoiceAnswer %s: GET invoice answers %s', async (invoiceAnswer, text) => {
      const { id } = await shop.buy(merchant);
      await shop.upload(merchant, `/v1/Storages/invoice/upload?orderId=${id}`, {
        files: [{ content: 'o PDF', type: 'application/pdf' }],
      });
      await shop.idle();
      await set({ invoiceAnswer });
      expect((await call('GET', `/v1/Storages/invoice?orderId=${id}`)).text).toMatch(text);
    });

    it('requiredOfCategory: a category without one of these keys is rejected', async () => {
      const { contractAccountId } = merchant;
      await call('POST', '/v1/batch/Categories', [{ externalReference: 'c1', name: 'Um' }]);
      await shop.idle();
      await set({ requiredOfCategory: ['externalReference', 'name', 'title'] });
      await call('POST', '/v1/batch/Categories', [{ externalReference: 'c2', name: 'Dois' }]);
      await shop.idle();
      expect(shop.envelopesOf(merchant, 'Category_CreationFailed')).toMatchObject([
        { data: { externalReference: 'c2' }, error: { validationErrors: [{ key: 'Title' }] } },
      ]);
      const read = (reference: string): Promise<Answer> =>
        shop.call('GET', `/admin/categories/${reference}?contractAccountId=${contractAccountId}`);
      expect([(await read('c1')).status, (await read('c2')).status]).toEqual([200, 404]);
    });
  });

  it.each([
    ['object', 'application/json', /^\{"error":\{"code":"PRODUCT_UNKNOWN","message":"There is no product/],
    [
      'problem',
      'application/problem+json',
      /^\{"type":"about:blank","title":"Not Found","status":404,"detail":"There is no/,
    ],
    ['text', 'text/plain', /^There is no product/],
  ])(
    'include errorBody %s, with which an error of the platform is %s and one of the admin API stays JSON',
    async (errorBody, type, text) => {
      const merchant = await shop.merchant();
      await set({ errorBody });
      const answer = await shop.call('GET', '/v1/batch/Products/none', { headers: merchant.headers });
      expect(answer).toMatchObject({ status: 404, text: expect.stringMatching(text) });
      expect(answer.headers.get('content-type')).toContain(type);
      expect((await shop.call('GET', '/v1/nothing')).headers.get('content-type')).toContain(type);
      const ours = await shop.call('GET', '/admin/orders/1');
      expect(ours).toMatchObject({ status: 404, json: { error: { code: 'UNKNOWN' } } });
    },
  );

  it.each([
    { transitions: 'loose' },
    { statusAnswer: 'xml' },
    { pickingKeys: { items: 'a' } },
    { batchPaths: { SKUPricing: '/Pricing', Warehouse: 'w', WarehouseSKU: 's' } },
    { requiredOfCategory: ['name'] },
    { nothing: true },
  ])('are refused with a 400 that explains why if one is invalid, and none changes: %j', async (body) => {
    const answer = await shop.call('POST', '/admin/switches', { body });
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'BODY_INVALID' } } });
    expect(await shop.admin('GET', '/switches')).toEqual(defaults);
  });
});
