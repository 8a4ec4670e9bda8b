import { join } from 'node:path';
import { stopWhilePlatformHangs } from '@gondola/kafka/testing/stop-while-hanging';
import { describe, expect, it } from '@jest/globals';

const TENANTS = ['acme', 'bravo', 'cobra'];
/** As many simultaneous orders as the tenant's concurrency allows. */
const ORDERS = [1001, 1002, 1003, 1004];

describe('SIGTERM while the calls of three tenants hang', () => {
  it('hands back every lease and ends with 0, within the limit of a shutdown', async () => {
    const { exit, leases, errors } = await stopWhilePlatformHangs({
      folder: join(import.meta.dirname, '..'),
      tenants: TENANTS,
      commands: {
        topic: 'erp.files.commands.v1',
        of: (tenant) =>
          ORDERS.map((orderNumber) => ({
            key: String(orderNumber),
            headers: { ce_tenant: tenant },
            value: JSON.stringify({ commandId: `c-${orderNumber}`, command: 'ReadInvoice', orderNumber }),
          })),
      },
      calls: TENANTS.length * ORDERS.length,
    });
    expect({ exit, errors }).toEqual({ exit: { code: 0, signal: null }, errors: [] });
    expect(leases).toEqual({ before: TENANTS.length * ORDERS.length, after: 0 });
  });
});
