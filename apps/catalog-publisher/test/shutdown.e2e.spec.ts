import { join } from 'node:path';
import { stopWhilePlatformHangs } from '@gondola/kafka/testing/stop-while-hanging';
import { describe, expect, it } from '@jest/globals';
import { brand } from './support/references.ts';

const TENANTS = ['acme', 'bravo', 'cobra'];

describe('SIGTERM while the calls of three tenants hang', () => {
  it('hands back every lease and ends with 0, within the limit of a shutdown', async () => {
    const { exit, leases, errors } = await stopWhilePlatformHangs({
      folder: join(import.meta.dirname, '..'),
      tenants: TENANTS,
      commands: {
        topic: 'erp.catalog.brands.v1',
        of: (tenant) => [{ key: 'b-1', headers: { ce_tenant: tenant }, value: JSON.stringify(brand('b-1')) }],
      },
      calls: TENANTS.length,
    });
    expect({ exit, errors }).toEqual({ exit: { code: 0, signal: null }, errors: [] });
    expect(leases).toEqual({ before: TENANTS.length, after: 0 });
  });
});
