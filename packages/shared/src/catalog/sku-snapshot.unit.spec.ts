import { describe, expect, it } from '@jest/globals';
import { buildSkuSnapshot, readSkuSnapshot, skuSnapshotId } from './sku-snapshot.ts';

const SNAPSHOT = buildSkuSnapshot({
  version: 7,
  tenant: 'acme',
  time: '2026-11-20T13:15:02.114Z',
  skuExternalReference: '4711-1',
  skuId: '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e',
  productExternalReference: '4711',
  productId: null,
  name: 'Queijo',
  ean: null,
  reference: '4711-1',
  unitOfMeasurement: 'Kg',
  arithmeticFactor: '0.1',
  active: true,
});
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('the snapshot of a SKU', () => {
  it("has the contract's fields, with key and version as its id", () => {
    expect(SNAPSHOT).toMatchObject({ id: 'acme/4711-1:7', type: 'gondola.sku.v1' });
    expect(Object.keys(SNAPSHOT)).toEqual(
      'id type tenant time skuExternalReference skuId productExternalReference productId name ean reference unitOfMeasurement arithmeticFactor active'.split(
        ' ',
      ),
    );
    expect(skuSnapshotId('acme', '4711-1', '8')).toBe('acme/4711-1:8');
  });

  it('reads back as written, without unknown fields', () => {
    expect(readSkuSnapshot(bytes({ ...SNAPSHOT, more: 1 }))).toEqual(SNAPSHOT);
  });

  it('is read with nulls for missing fields and wrong types', () => {
    const { name: _none, ...rest } = SNAPSHOT;
    const read = readSkuSnapshot(bytes({ ...rest, active: 'yes', arithmeticFactor: 0.1 }));
    expect(read).toEqual({ ...SNAPSHOT, name: null, active: null, arithmeticFactor: null });
  });

  it.each([[[]], [null], [{}], [{ ...SNAPSHOT, type: 'other' }], [{ ...SNAPSHOT, skuExternalReference: 1 }]])(
    'is not read from %j',
    (value) => {
      expect(readSkuSnapshot(bytes(value))).toBeNull();
    },
  );
});
