import { describe, expect, it } from '@jest/globals';
import { readOrderNotification } from './read-order-notification.ts';

const ORDER = {
  id: '0b000000-0000-4000-8000-000000000001',
  number: 100234,
  status: 300,
  user: { email: 'x@example.com' },
};
const envelope = (more: object = {}) => ({
  operationId: 'op-1',
  relatedEntity: 'Order',
  eventType: 'Order_Updated',
  data: ORDER,
  ...more,
});
const read = (value: unknown) => readOrderNotification(Buffer.from(JSON.stringify(value)));
const failed = (more: object) => envelope({ eventType: 'Operation_Failed', error: { statusCode: 422 }, ...more });

describe('an order notification', () => {
  it("gives the order's GUID and nothing else of it (rule 33)", () => {
    expect(read(envelope())).toEqual({
      kind: 'facts',
      facts: { order: { orderNumber: '100234', orderId: ORDER.id }, failure: null },
    });
  });

  it('that is a refusal is stored with its operation, what it is about, and the bytes of its error (rules 5, 6)', () => {
    const reading = read(failed({ data: { id: null, number: 100234, status: 300 } }));
    expect(reading).toMatchObject({
      facts: {
        order: null,
        failure: {
          operationId: 'op-1',
          eventType: 'Operation_Failed',
          about: { kind: 'order-invoice', identity: '100234' },
        },
      },
    });
    const error = reading.kind === 'facts' ? reading.facts.failure?.error : null;
    expect(Buffer.from(error ?? []).toString()).toBe('{"statusCode":422}');
  });

  it("of any entity may be about a SKU's images (rule 6)", () => {
    const reading = read(failed({ relatedEntity: 'Storage', data: { externalReference: '4711-1' } }));
    expect(reading).toMatchObject({ facts: { failure: { about: { kind: 'sku-images', identity: '4711-1' } } } });
    const product = read(failed({ relatedEntity: 'ProductWithSKUs', data: { externalReference: '4711-1' } }));
    expect(product).toMatchObject({ facts: { failure: { about: { kind: 'sku-images', identity: '4711-1' } } } });
    const brand = read(failed({ relatedEntity: 'Brand', data: { externalReference: '4711-1' } }));
    expect(brand).toMatchObject({ facts: { failure: { operationId: 'op-1', about: null } } });
    expect(read(failed({ data: null }))).toMatchObject({ facts: { failure: { about: null } } });
    expect(read(envelope({ eventType: 'Order_InvoiceUploadFailed' }))).toMatchObject({
      facts: { failure: { error: null } },
    });
  });

  it.each<[string, unknown]>([
    ['is no envelope', 7],
    ['is of another entity', envelope({ relatedEntity: 'Brand', data: { externalReference: 'b' } })],
    ['has no GUID', envelope({ data: { number: 1 } })],
  ])('that %s is passed over', (_, value) => {
    expect(read(value)).toMatchObject({ kind: 'skip' });
  });
});
