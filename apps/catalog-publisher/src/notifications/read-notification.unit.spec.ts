import { describe, expect, it } from '@jest/globals';
import { rejectedReport } from '../../test/support/product-samples.ts';
import { readNotification } from './read-notification.ts';

const read = (envelope: object | string) =>
  readNotification(Buffer.from(typeof envelope === 'string' ? envelope : JSON.stringify(envelope)));
const about = (relatedEntity: string, more: object = {}) => ({
  operationId: 'op-1',
  contractAccountId: 'a',
  relatedEntity,
  eventType: `${relatedEntity}_CreationFailed`,
  data: { externalReference: 'serra' },
  ...more,
});

describe('a notification of the catalog', () => {
  it('of a product is its report, byte for byte', () => {
    const data = JSON.stringify(rejectedReport()).replace('"failed":0', '"failed":0.0');
    const text = `{"operationId":"op-1","relatedEntity":"ProductWithSKUs","eventType":"any", "data": ${data}}`;
    expect(read(text)).toMatchObject({
      kind: 'product',
      notification: { externalReference: '4711', operationId: 'op-1', data: Buffer.from(data) },
    });
  });

  it('of a brand or category is a failure by its error, else by its name (rule 26)', () => {
    const error = { statusCode: 422 };
    const brand = { kind: 'brand', externalReference: 'serra' };
    expect(read(about('Brand', { error }))).toMatchObject({ notification: { entity: brand, failed: true, error } });
    expect(read(about('Brand', { error, eventType: 'Brand_Created' }))).toMatchObject({
      notification: { failed: true },
    });
    expect(read(about('Category'))).toMatchObject({
      notification: { entity: { kind: 'category' }, failed: true, error: null },
    });
    expect(read(about('Category', { eventType: 'Category_Stored', error: null }))).toMatchObject({
      notification: { failed: false },
    });
  });

  it('of a price or warehouse identifies it by the platform’s ids; one of stock identifies nothing (rule 30)', () => {
    const data = { skuId: 's', commercialPolicyId: 'p' };
    expect(read(about('SKUPricing', { data }))).toMatchObject({
      notification: { entity: { kind: 'price', externalReference: 's/p' }, failed: true },
    });
    expect(read(about('Warehouse', { data: { id: 'cd-01' } }))).toMatchObject({
      notification: { entity: { kind: 'warehouse', externalReference: 'cd-01' } },
    });
    expect(read(about('WarehouseSKU', { data }))).toMatchObject({ notification: { entity: null, isForeign: false } });
  });

  it('of a failed operation is one of our concern for its operation, whatever it is about (rule 6)', () => {
    const failed = { eventType: 'Operation_Failed', error: { statusCode: 400 } };
    expect(read(about('ProductWithSKUs', { ...failed, data: rejectedReport() }))).toMatchObject({
      kind: 'operation',
      notification: { entity: { kind: 'product', externalReference: '4711' }, isForeign: false },
    });
    expect(read(about('Order', { ...failed, data: { number: 1 } }))).toMatchObject({
      kind: 'operation',
      notification: { entity: null, isForeign: true },
    });
    expect(read(about('Brand', { ...failed, data: null }))).toMatchObject({
      notification: { entity: null, isForeign: false },
    });
  });

  it.each([
    ['other-entity', about('Order', { eventType: 'Order_Updated' })],
    ['other-entity', about('User')],
    ['no-identity', about('Brand', { operationId: 7 })],
    ['no-identity', about('Nobody')],
    ['no-identity', about('ProductWithSKUs', { data: {} })],
    ['not-an-envelope', '[]'],
  ])('is nothing for this app: %s', (why, envelope) => {
    expect(read(envelope)).toEqual({ kind: 'none', why });
  });
});
