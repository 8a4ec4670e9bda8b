import { openApiGaps } from '@gondola/service-kit/testing/openapi-gaps';
import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CANARIES, orderData } from './support/platform-order.ts';
import { OrderApp } from './support/order-app.ts';

/** Statuses with which every route of operators may refuse. */
const OF_EVERY_ROUTE = new Set(['401', '403', '413', '415', '503']);

function isOfRoute(status: string): boolean {
  return !OF_EVERY_ROUTE.has(status);
}

describe('order events', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('order-events');
  });

  afterAll(() => app.stop());

  it('publish a paid order whole, once, as the contract shows it (rules 7, 11, 12, 13)', async () => {
    const data = orderData({ number: 100234, status: 300, updatedAt: '2026-11-20T10:15:00' });
    await app.notify({ data });
    const [event] = await app.eventsOf(100234, 1);
    expect(event!.key).toBe('acme:order:100234:1');
    expect(event!.headers).toMatchObject({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: 'acme:order:100234:1',
      ce_source: '/gondola/order-command-handler',
      ce_type: 'OrderApproved',
      ce_subject: 'order/100234',
      ce_tenant: 'acme',
      ce_partitionkey: 'acme/order/100234',
      ce_sequence: '0000000001',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    expect(event!.value).toMatchObject({
      id: 'acme:order:100234:1',
      type: 'OrderApproved',
      tenant: 'acme',
      orderNumber: 100234,
      revision: 1,
      previousStatus: null,
      status: { code: 300, name: 'PAYMENT_APPROVED' },
      changes: ['status'],
      hold: false,
      attention: null,
      cause: { kind: 'platform' },
      order: {
        orderNumber: 100234,
        createdAt: '2026-11-20T10:14:58-03:00',
        updatedAt: '2026-11-20T10:15:00-03:00',
        origin: { code: 2, name: 'web' },
        totals: { total: '12.45' },
        items: [{ match: 'unknown', approximateWeight: { value: '0.3', unit: 'Kg' }, gross: '12.45', net: '12.45' }],
      },
    });
    // The platform's own data, byte for byte.
    expect(event!.bytes.toString('utf8').endsWith(`,"platform":${data}}`)).toBe(true);
  });

  it('publish an order once although its notifications came doubled and shuffled (guarantees 2, 4) (rules 2, 9)', async () => {
    const course = [
      { data: orderData({ number: 100235, status: 300, updatedAt: '2026-11-20T10:15:00' }) },
      { data: orderData({ number: 100235, status: 400, updatedAt: '2026-11-20T10:16:00' }) },
      { data: orderData({ number: 100235, status: 1300, updatedAt: '2026-11-20T10:17:00', total: '13.00' }) },
      { data: orderData({ number: 100235, status: 350, updatedAt: '2026-11-20T10:18:00', total: '13.00' }) },
    ].map((parts, index) => ({ ...parts, operationId: `op-${index}` }));
    const [paid, prepared, recalculated, invoiced] = course as [never, never, never, never];
    await app.notify(invoiced, prepared, invoiced, recalculated, prepared, paid, paid, recalculated);
    await app.notify(...course.toReversed(), ...course);
    await app.eventsOf(100235, 1);
    await app.notify({
      data: orderData({ number: 100235, status: 500, updatedAt: '2026-11-20T10:19:00', total: '13.00' }),
    });
    const events = await app.eventsOf(100235, 2);
    expect(events.map(({ value: { type, revision, previousStatus } }) => [type, revision, previousStatus])).toEqual([
      ['OrderApproved', 1, null],
      ['OrderReady', 2, { code: 350, name: 'ORDER_INVOICED' }],
    ]);
  });

  it('name what was not understood, and items that are null: neither is unset or empty (guarantee 6)', async () => {
    const data = JSON.parse(orderData({ number: 100238, status: 300, updatedAt: '2026-11-20T10:15:00' })) as object;
    await app.notify({ data: JSON.stringify({ ...data, createdAt: '20/11/2026 10:14', items: null }) });
    const [approved] = await app.eventsOf(100238, 1);
    expect(approved!.value).toMatchObject({
      type: 'OrderApproved',
      unread: ['createdAt', 'items'],
      order: { createdAt: null, items: [] },
      platform: { createdAt: '20/11/2026 10:14', items: null },
    });
  });

  it('publish nothing of an order that was cancelled before its payment became known (rule 7)', async () => {
    await app.notify({ data: orderData({ number: 100236, status: 800, updatedAt: '2026-11-20T10:16:00' }) });
    await app.notify({ data: orderData({ number: 100236, status: 300, updatedAt: '2026-11-20T10:15:00' }) });
    await app.until(async () => JSON.stringify((await app.get('/api/orders/100236')).body).includes('"paid":true'));
    // The lane's turn has come after both facts when it has come for a command after them.
    await app.command({ commandId: 'c-36', command: 'StartPreparation', orderNumber: 100236 });
    const { value } = await app.resultOf('c-36');
    expect(value).toMatchObject({ outcome: 'invalid', reason: { code: 'STATUS_NOT_SETTABLE' }, revision: null });
    expect(app.events(100236)).toEqual([]);
  });

  it('pass over refusals of other entities and put what has no order number to the dead letters (rules 4, 6)', async () => {
    const error = '{"statusCode":422,"message":"no"}';
    await app.notify(
      { eventType: 'Operation_Failed', relatedEntity: 'Brand', data: '{"externalReference":"b"}', error },
      { eventType: 'Operation_Failed', data: '{"anything":1}', error },
      { eventType: 'Order_Updated', data: '{"status":300}' },
    );
    const [letter] = await app.deadLetter(1);
    expect(letter!.headers).toMatchObject({ ce_reasoncode: 'IDENTITY_MISSING', ce_tenant: 'acme' });
    expect(app.deadLetters()).toHaveLength(1);
  });

  it('can be looked up by routes that the OpenAPI document describes', async () => {
    const document = (await app.get('/api/openapi.json')).body as OpenAPIObject;
    expect(openApiGaps(document)).toEqual([]);
    const answers = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { responses }]: [string, { responses: object }]) =>
          `${method} ${path} ${Object.keys(responses).filter(isOfRoute).join(' ')}`,
      ),
    );
    expect(answers).toEqual(
      expect.arrayContaining([
        'get /api/orders 200 400',
        'get /api/orders/{number} 200 400 404',
        'post /api/orders/{number}/refresh 202 400 404',
        'post /api/orders/{number}/release 202 400 404',
        'get /api/commands/{commandId} 200 400 404',
        'post /api/commands/{commandId}/withdraw 202 400 404 409',
        'get /api/counts 200 400',
        'get /api/recoveries 200 400',
        'post /api/recoveries 202 400',
        'get /api/recoveries/{id} 200 400 404',
        'get /api/recoveries/{id}/numbers 200 400 404',
        'get /api/dead-letters 200 400',
        'get /api/dead-letters/{id} 200 400 404',
        'post /api/dead-letters/{id}/redrive 202 400 404 409',
      ]),
    );
  });

  it('leave no personal data in the log, in headers or in the operations API', async () => {
    const { body } = await app.get('/api/orders/100234');
    const headers = [...app.events(), ...app.results()].map((published) => published.headers);
    const shown = `${app.installation.logLines.join('\n')}${JSON.stringify([body, headers, app.deadLetters().map((letter) => letter.headers)])}`;
    expect(app.installation.logLines.length).toBeGreaterThan(10);
    expect(CANARIES.filter((canary) => shown.includes(canary))).toEqual([]);
  });
});
