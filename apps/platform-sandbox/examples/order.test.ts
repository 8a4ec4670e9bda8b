// A paid order, as an ERP sees it over HTTP. Run it with `node order.test.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox } from '@gondola/platform-sandbox/testing';

const shop = await Sandbox.start();
await shop.seed({ products: 20 });
const cheese = { skuExternalReference: '1001-1', quantity: 0.3 };

await test('a paid order is delivered to the ERP', async () => {
  const order = await shop.buy({ items: [cheese] });
  const delivery = await shop.waitForDelivery({ order, event: 'Order_Updated', status: 300 });
  assert.equal(delivery.body.data['number'], order.number);
  assert.equal(shop.received.at(-1)?.headers.authorization, shop.webhookToken);
});

await test('an order that the ERP prepares is 400', async () => {
  const order = await shop.buy({ items: [cheese] });
  await shop.call('PATCH', `/v1/Orders/${order.number}/status`, { status: 'ORDER_BEING_PREPARED' });
  await shop.waitForDelivery({ order, event: 'Order_Updated', status: 400 });
  assert.deepEqual(await shop.call('GET', `/v1/Orders/${order.number}/status`), { status: 400 });
});

await test('a delivery that is ten minutes late comes when the clock is advanced', async () => {
  const delay = { kind: 'webhook-delay', event: 'Order_Updated 300', ms: 600_000, times: 1 };
  await shop.call('POST', '/admin/faults', [delay]);
  const order = await shop.buy({ items: [cheese] });
  await shop.advance('10m');
  await shop.waitForDelivery({ order, event: 'Order_Updated', status: 300 });
});

await test('a wait in vain says what came instead', async () => {
  const order = await shop.buy({ items: [cheese], payment: 'refused' });
  await shop.waitForDelivery({ order, event: 'Order_Updated', status: 250 });
  const inVain = shop.waitForDelivery({ order, event: 'Order_Updated', status: 300, timeoutMs: 0 });
  await assert.rejects(
    inVain,
    /^Error: Order_Updated 300 of \d+ was not .* Instead came: Order_Updated 250 .*answered 200/,
  );
});

await shop.stop();
