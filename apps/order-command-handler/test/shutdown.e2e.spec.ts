import { join } from 'node:path';
import { stopWhilePlatformHangs } from '@gondola/kafka/testing/stop-while-hanging';
import { describe, expect, it } from '@jest/globals';
import { notification } from '@gondola/shared/testing/notification';
import { orderData } from './support/platform-order.ts';

const TENANTS = ['acme', 'bravo', 'cobra'];
/** As many of a tenant's orders at once as the tenant's concurrency allows. */
const ORDERS = [1001, 1002, 1003, 1004];

describe('SIGTERM while the calls of three tenants hang', () => {
  it('hands back every lease and ends with 0, within the limit of a shutdown', async () => {
    const { exit, leases, errors } = await stopWhilePlatformHangs({
      folder: join(import.meta.dirname, '..'),
      tenants: TENANTS,
      facts: {
        topic: 'platform.notifications.orders.v1',
        of: (tenant) => ORDERS.map((number) => paid(tenant, number)),
        lanes: 'order',
      },
      commands: {
        topic: 'erp.orders.commands.v1',
        of: (tenant) =>
          ORDERS.map((orderNumber) => ({
            key: String(orderNumber),
            headers: { ce_tenant: tenant },
            value: JSON.stringify({ commandId: `c-${orderNumber}`, command: 'StartPreparation', orderNumber }),
          })),
      },
      calls: TENANTS.length * ORDERS.length,
    });
    expect({ exit, errors }).toEqual({ exit: { code: 0, signal: null }, errors: [] });
    expect(leases).toEqual({ before: TENANTS.length * ORDERS.length, after: 0 });
  });
});

function paid(tenant: string, number: number) {
  const data = orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' });
  const { key, value } = notification(tenant, { data });
  return { key, value, headers: { ce_id: key, ce_tenant: tenant } };
}
