import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { isIdentityText } from '@gondola/shared/topics/identities';

import { encodeRecord, headerText, type OutRecord } from './record-codec.ts';
import { readSkuRecord, skuRecord, skuTombstone } from './sku-record.ts';

const TIME = '2026-11-20T13:15:02.114Z';
const CAUSE = { commandId: 'r-1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

const snapshotOf = (skuExternalReference: string, version = 7) =>
  buildSkuSnapshot({
    version,
    tenant: 'acme',
    time: TIME,
    skuExternalReference,
    skuId: null,
    productExternalReference: '4711',
    productId: null,
    name: 'Queijo',
    ean: null,
    reference: null,
    unitOfMeasurement: 'Kg',
    arithmeticFactor: '0.1',
    active: true,
  });

function consumed(out: OutRecord) {
  const { value, headers } = encodeRecord(out, 'catalog-publisher');
  return readSkuRecord({ value, header: (name) => headerText(headers, name) }, ['acme']);
}

describe('a record of catalog.skus.v1', () => {
  it('is keyed by its SKU, and its id is the key and the version', () => {
    const record = skuRecord(snapshotOf('4711-1'), CAUSE);
    expect(record).toMatchObject({
      key: 'acme/4711-1',
      id: 'acme/4711-1:7',
      type: 'gondola.sku.v1',
      subject: 'sku/4711-1',
      partitionKey: 'acme/sku/4711-1',
      ...CAUSE,
    });
    expect(JSON.parse(record.value?.toString() ?? '')).toEqual(snapshotOf('4711-1'));
  });

  it('of a removed SKU has the same key and partition, and no value', () => {
    const gone = skuTombstone({ tenant: 'acme', skuExternalReference: '4711-1', version: 8, time: TIME }, CAUSE);
    const { key, partitionKey } = skuRecord(snapshotOf('4711-1'), CAUSE);
    expect(gone).toMatchObject({ key, partitionKey, id: 'acme/4711-1:8', value: null, contentType: null, ...CAUSE });
  });

  it('reads back as written for any reference, also of a removed SKU', () => {
    const anyReference = fc.string({ minLength: 1, unit: 'grapheme' }).filter(isIdentityText);
    fc.assert(
      fc.property(anyReference, (skuExternalReference) => {
        const about = { tenant: 'acme', skuExternalReference };
        const snapshot = snapshotOf(skuExternalReference);
        const read = { kind: 'item', tenant: 'acme', item: { ...about, snapshot } };
        expect(consumed(skuRecord(snapshot, CAUSE))).toEqual(read);
        const gone = skuTombstone({ ...about, version: 8, time: TIME }, CAUSE);
        expect(consumed(gone)).toEqual({ ...read, item: { ...about, snapshot: null } });
      }),
    );
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(1_000)],
  ])('is a dead letter of its tenant if its reference is %s', (_, reference) => {
    for (const record of [
      skuRecord(snapshotOf(reference), CAUSE),
      skuTombstone({ tenant: 'acme', skuExternalReference: reference, version: 8, time: TIME }, CAUSE),
    ]) {
      expect(consumed(record)).toMatchObject({ kind: 'dead-letter', code: 'IDENTITY_MISSING', tenant: 'acme' });
    }
  });

  it('is a dead letter with another value', () => {
    const read = readSkuRecord({ value: Buffer.from('{}'), header: () => 'acme' }, ['acme']);
    expect(read).toMatchObject({ kind: 'dead-letter', code: 'NOT_JSON' });
  });

  it('is skipped as a tombstone without headers, and behind its tenant', () => {
    const none = readSkuRecord({ value: null, header: () => undefined }, ['acme']);
    expect(none).toEqual({ kind: 'skip', why: 'no-snapshot' });
    const former = skuRecord({ ...snapshotOf('4711-1'), tenant: 'former' }, CAUSE);
    expect(consumed(former)).toEqual({ kind: 'skip', why: 'tenant-unknown' });
  });
});
