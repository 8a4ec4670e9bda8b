import { describe, expect, it } from '@jest/globals';
import { readFileCommandIdentity } from './file-command-identity.ts';

const ABOUT = { tenantHeader: undefined, tenants: ['acme'] };
const read = (value: unknown, about: Partial<Parameters<typeof readFileCommandIdentity>[1]> = {}) =>
  readFileCommandIdentity(typeof value === 'string' ? Buffer.from(value) : Buffer.from(JSON.stringify(value)), {
    ...ABOUT,
    ...about,
  });

function hashWith(more: object): string | null {
  const reading = read({ commandId: 'f-1', command: 'ReadInvoice', orderNumber: 1, ...more });
  return reading.kind === 'command' ? reading.identity.contentHash : null;
}

describe('the identity of a file command', () => {
  it("puts a SKU's images and an order's invoice in lanes of their own", () => {
    expect(read({ commandId: 'f-1', command: 'PublishSkuImages', skuExternalReference: '4711-1' })).toMatchObject({
      kind: 'command',
      identity: {
        tenant: 'acme',
        commandId: 'f-1',
        command: 'PublishSkuImages',
        lane: { kind: 'sku-images', identity: '4711-1' },
        entity: { kind: 'sku', externalReference: '4711-1' },
        parentCommandId: null,
      },
    });
    const upload = {
      commandId: 'c-88/pdf',
      command: 'UploadInvoicePdf',
      orderNumber: '0100234',
      parentCommandId: 'c-88',
    };
    expect(read(upload)).toMatchObject({
      identity: {
        lane: { kind: 'order-invoice', identity: '100234' },
        entity: { kind: 'order', orderNumber: 100234 },
        parentCommandId: 'c-88',
      },
    });
  });

  it('is enough for a result, whatever the rest is', () => {
    expect(read({ commandId: 'f-1', command: 7, skuExternalReference: ['x'], orderNumber: 'x' })).toMatchObject({
      kind: 'command',
      identity: { command: '', entity: null, lane: { kind: 'sku-images', identity: 'command/f-1' } },
    });
  });

  it('is the same for equal content but for requestedAt, and differs with any other change (rule 19)', () => {
    expect(hashWith({ requestedAt: '2026-11-20T10:00:00-03:00' })).toBe(hashWith({}));
    expect(hashWith({ orderNumber: 2 })).not.toBe(hashWith({}));
  });

  it.each<[string, unknown, string | undefined, string]>([
    ['no JSON', 'x', undefined, 'NOT_JSON'],
    ['no object', [1], undefined, 'NOT_JSON'],
    ['no commandId', { command: 'ReadInvoice' }, undefined, 'IDENTITY_MISSING'],
    ['an empty commandId', { commandId: '' }, undefined, 'IDENTITY_MISSING'],
    ['an unknown tenant', { commandId: 'f-1' }, 'beta', 'TENANT_UNKNOWN'],
    ['a tenant unlike its header', { commandId: 'f-1', tenant: 'beta' }, 'acme', 'TENANT_UNKNOWN'],
  ])('with %s is a dead letter', (_, value, tenantHeader, code) => {
    expect(read(value, { tenantHeader })).toMatchObject({ kind: 'dead-letter', code });
  });

  it('of a tombstone is a dead letter', () => {
    expect(readFileCommandIdentity(null, ABOUT)).toMatchObject({ kind: 'dead-letter', code: 'NOT_JSON' });
  });
});
