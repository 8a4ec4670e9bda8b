import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const operationOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const SKU = { skuId: 's-1', productId: 'p-1', name: 'Queijo Minas Frescal 1 kg' };

describe('an order that is picked, moved on or cancelled', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('pick-ship-cancel');
    await app.sku('4711-1', SKU, 1);
  });

  afterAll(() => app.stop());

  const notify = (
    number: number,
    status: number,
    minute: number,
    more: { total?: string; operationId?: string } = {},
  ) => {
    const { operationId, ...rest } = more;
    const data = orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00`, ...rest });
    return app.notify({ data, ...(operationId !== undefined && { operationId }) });
  };
  const paid = async (number: number): Promise<void> => {
    await notify(number, 300, 15);
    await app.eventsOf(number, 1);
  };
  const pick = (number: number, commandId: string, more: object = {}): Promise<void> => {
    const item = {
      skuExternalReference: '4711-1',
      outcome: 'picked',
      quantity: { value: '0.3120', unit: 'Kg' },
      unitPrice: '39.90',
      total: 12.5,
      ...more,
    };
    return app.command({
      commandId,
      command: 'ReportPicking',
      orderNumber: number,
      finalOrderPrice: '12.50',
      items: [item],
    });
  };

  it('names the SKUs of its items in its events and to operators (rule 11)', async () => {
    await paid(500001);
    expect(app.events(500001)[0]!.value).toMatchObject({
      order: { items: [{ match: 'exact', skuExternalReference: '4711-1', name: SKU.name, reference: '4711-1' }] },
    });
    expect((await app.get('/api/orders/500001')).body).toMatchObject({
      values: { items: [{ match: 'exact', skuExternalReference: '4711-1', name: SKU.name }] },
    });
  });

  it('forgets a SKU that the catalog no longer has', async () => {
    const known = async () => ((await app.get('/api/counts')).body as { skus: number }).skus;
    const before = await known();
    await app.sku('4712-1', {}, before + 1);
    await app.skuGone('4712-1', before);
    expect(await known()).toBe(before);
  });

  it('is picked with the digits of the ERP, and published as recalculated because of the command (rules 10, 21)', async () => {
    await paid(500002);
    app.platform.on.picking = async () => {
      await notify(500002, 1300, 16, { total: '12.50', operationId: operationOf(500002) });
      return { status: 200, json: { operationId: operationOf(500002) } };
    };
    await pick(500002, 'pick-2');
    expect((await app.resultOf('pick-2')).value).toMatchObject({ outcome: 'applied', evidence: 'event', attempts: 1 });
    expect(app.platform.callsOf(500002, 'picking').map(({ body }) => body)).toEqual([
      '{"finalOrderPrice":12.50,"items":[{"skuExternalReference":"4711-1","quantity":0.3120,"unitOfMeasure":"Kg","price":39.90,"total":12.5}]}',
    ]);
    const [, recalculated] = await app.eventsOf(500002, 2);
    expect(recalculated!.value).toMatchObject({
      type: 'ItemsRecalculated',
      revision: 2,
      status: { code: 300 },
      cause: { kind: 'command', commandId: 'pick-2' },
      order: { totals: { total: '12.50' } },
    });
    expect(recalculated!.headers['ce_commandid']).toBe('pick-2');
  });

  it('is picked without a word on its total, if its recalculation came without a date (rules 9, 14)', async () => {
    await paid(500091);
    app.platform.on.picking = async () => {
      const data = orderData({ number: 500091, status: 1300, updatedAt: 'agora', total: '12.50' });
      await app.notify({ data, operationId: operationOf(500091) });
      return { status: 200, json: { operationId: operationOf(500091) } };
    };
    await pick(500091, 'pick-undated');
    expect((await app.resultOf('pick-undated')).value).toMatchObject({
      outcome: 'applied',
      data: { recalculatedTotal: null },
      warnings: [{ code: 'PRICE_UNKNOWN' }],
    });
  });

  it('is not picked with a SKU that it does not have (rule 11)', async () => {
    await paid(500005);
    await pick(500005, 'pick-unknown', { skuExternalReference: '4714-1' });
    await pick(500005, 'pick-line', { line: 2 });
    await pick(500005, 'pick-added', { skuExternalReference: '4713-1', outcome: 'added' });
    const problem = { code: 'SKU_UNKNOWN', field: 'items[0].skuExternalReference', skuExternalReference: '4714-1' };
    expect((await app.resultOf('pick-unknown')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'SKU_UNKNOWN' },
      errors: [problem],
    });
    expect((await app.resultOf('pick-line')).value).toMatchObject({ errors: [{ field: 'items[0].line' }] });
    expect((await app.resultOf('pick-added')).value).toMatchObject({ errors: [{ code: 'SKU_UNKNOWN' }] });
    expect(app.platform.callsOf(500005, 'picking')).toEqual([]);
  });

  it('is picked once although the answer was lost: its payload shows the new price (rule 16)', async () => {
    await paid(500003);
    app.platform.on.picking = () => 'drop';
    app.platform.on.payload = () => ({ status: 200, json: { number: 500003, acceptedOrderDetails: { total: 12.5 } } });
    await pick(500003, 'pick-3');
    expect((await app.resultOf('pick-3')).value).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    expect(app.platform.callsOf(500003, 'picking')).toHaveLength(1);
  });

  it('is picked again after a lost answer when its payload shows the old price, and refused by our operation (rule 16)', async () => {
    await paid(500004);
    const answers = ['drop' as const];
    app.platform.on.picking = () => answers.shift() ?? { status: 200, json: { operationId: operationOf(500004) } };
    app.platform.on.payload = () => ({ status: 200, json: { number: 500004, acceptedOrderDetails: { total: 12.45 } } });
    await pick(500004, 'pick-4');
    await app.until(() => app.platform.callsOf(500004, 'picking').length === 2);
    const error = '{"statusCode":422,"message":"no","validationErrors":[]}';
    await app.notify({
      eventType: 'Operation_Failed',
      operationId: operationOf(500004),
      data: '{"number":500004}',
      error,
    });
    expect((await app.resultOf('pick-4')).value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'PLATFORM_REFUSED' },
      platform: { statusCode: 422 },
      attempts: 2,
    });
  });

  it.each([
    ['MarkReady', 500, 'READY_FOR_PICKUP_OR_DELIVERY'],
    ['Ship', 600, 'SHIPPED'],
    ['ConfirmDelivery', 700, 'DELIVERED'],
    ['ReportDeliveryFailure', 900, 'DELIVERY_FAILED'],
    ['RegisterReturn', 1000, 'ORDER_RETURNED'],
  ])('%s sets %i, and its echo is no event (rule 10)', async (command, status, name) => {
    const number = 500_100 + status;
    await paid(number);
    app.platform.on.status = async () => {
      await notify(number, status, 16, { operationId: operationOf(number) });
      return { status: 200, json: { operationId: operationOf(number) } };
    };
    await app.command({ commandId: `c-${status}`, command, orderNumber: number, reason: 'x' });
    expect((await app.resultOf(`c-${status}`)).value).toMatchObject({ outcome: 'applied', evidence: 'event' });
    expect(app.platform.callsOf(number, 'status').map(({ body }) => body)).toEqual([`{"status":"${name}"}`]);
    expect(app.events(number)).toHaveLength(1);
  });

  it('is cancelled beside an open command: 750 and 800 are published with their cause, and the open one is overtaken (rule 19)', async () => {
    await paid(500010);
    app.platform.on.register = () => ({ status: 200, json: { transactionId: operationOf(1) } });
    app.platform.on.payload = () => ({ status: 200, json: { number: 500010, orderInvoiced: null } });
    app.platform.on.cancel = () => ({ status: 200, json: { operationId: operationOf(500010) } });
    await app.command({
      commandId: 'invoice-10',
      command: 'RegisterInvoice',
      orderNumber: 500010,
      number: '1',
      issuedAt: '2026-11-20T13:00:00Z',
      value: '12.45',
      pdf: { uploadId: 'u-1' },
    });
    await app.pdfChecked(500010, 'invoice-10');
    await app.pdfCommands(500010, 1);
    await app.command({ commandId: 'queued-10', command: 'MarkReady', orderNumber: 500010 });
    await app.command({ commandId: 'cancel-10', command: 'CancelOrder', orderNumber: 500010, reason: 'sem estoque' });
    await app.until(() => app.platform.callsOf(500010, 'cancel').length === 1);
    expect(app.platform.callsOf(500010, 'cancel')[0]!.body).toBe('{"reason":"sem estoque"}');
    expect(app.results('invoice-10')).toEqual([]);
    await notify(500010, 750, 20, { operationId: operationOf(500010) });
    expect((await app.resultOf('invoice-10')).value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'ORDER_CANCELLED' },
    });
    expect((await app.resultOf('queued-10')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'STATUS_NOT_SETTABLE' },
    });
    expect(app.results('cancel-10')).toEqual([]);
    await notify(500010, 800, 21, { operationId: operationOf(500010) });
    expect((await app.resultOf('cancel-10')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      attempts: 1,
    });
    const cause = { kind: 'command', commandId: 'cancel-10' };
    expect((await app.eventsOf(500010, 3)).map(({ value }) => value)).toMatchObject([
      { type: 'OrderApproved' },
      { type: 'CancellationStarted', hold: true, cause },
      { type: 'OrderCancelled', hold: false, cause },
    ]);
    await app.command({ commandId: 'cancel-again', command: 'CancelOrder', orderNumber: 500010, reason: 'x' });
    expect((await app.resultOf('cancel-again')).value).toMatchObject({ outcome: 'unchanged' });
  });

  it('is not cancelled when the platform refuses (rule 5)', async () => {
    await paid(500011);
    app.platform.on.read = () => ({ status: 200, json: 300 });
    app.platform.on.cancel = async () => {
      const data = '{"number":500011}';
      const error = '{"statusCode":409,"message":"shipped"}';
      await app.notify({ eventType: 'Order_CancelFailed', operationId: operationOf(500011), data, error });
      return { status: 200, json: { operationId: operationOf(500011) } };
    };
    await app.command({ commandId: 'cancel-11', command: 'CancelOrder', orderNumber: 500011, reason: 'x' });
    expect((await app.resultOf('cancel-11')).value).toMatchObject({
      outcome: 'refused',
      platform: { statusCode: 409 },
    });
    expect(app.events(500011)).toHaveLength(1);
  });

  it('is published as refunded, and a late 300 after its 800 creates nothing (rule 7)', async () => {
    await paid(500012);
    await notify(500012, 800, 20);
    await notify(500012, 1100, 21);
    await notify(500012, 1200, 22);
    await app.eventsOf(500012, 2);
    await notify(500013, 800, 20);
    await notify(500013, 300, 15);
    await notify(500012, 1200, 23);
    await app.until(() => app.events(500012).at(-1)?.value['type'] === 'RefundCompleted');
    expect(app.events(500013)).toEqual([]);
  });
});
