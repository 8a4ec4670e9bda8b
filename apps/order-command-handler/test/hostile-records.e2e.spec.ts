import { checkHostileRecords } from '@gondola/kafka/testing/hostile-records';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';

/** No record that an ERP writes stops the app: what is unreadable is a dead letter, and what follows has its result. */
describe('records that were made to stop order-command-handler', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('hostile-orders');
  });

  afterAll(() => app.stop());

  it('end in one dead letter or result each, and what follows has its own', async () => {
    const check = checkHostileRecords(app.installation, {
      topic: 'erp.orders.commands.v1',
      results: 'erp.orders.results.v1',
      group: 'gondola.order-command-handler',
      tenant: 'acme',
      fields: (id) => `"commandId":"${id}","command":"StartPreparation","orderNumber":100002`,
      ordinary: (commandId) => ({ commandId, command: 'NoSuchCommand', orderNumber: 100_002 }),
    });
    await expect(check).resolves.toBeUndefined();
  });
});
