import { describe, expect, it } from '@jest/globals';
import { type NotificationQuestion, notificationFilter } from './notification-filter.ts';

const TENANTS = ['acme', 'bairro'];
const keysOf = (question: NotificationQuestion) => {
  const read = notificationFilter(question, TENANTS);
  return read.ok ? read.filter.partitionKeys : read.problem;
};

describe('a question for notifications', () => {
  it('looks an order up by its partition key, in one tenant or in all', () => {
    expect(keysOf({ tenant: 'acme', orderNumber: '100234' })).toEqual(['acme/order/100234']);
    expect(keysOf({ orderNumber: '0100234' })).toEqual(['acme/order/100234', 'bairro/order/100234']);
  });

  it.each([
    ['ProductWithSKUs', '4711', 'acme/product/4711'],
    ['Brand', 'B-1', 'acme/brand/B-1'],
    ['SKUPricing', 'sku%2F1/policy', 'acme/price/sku%2F1/policy'],
    ['Order', '0007', 'acme/order/7'],
  ])('looks any entity up by its identity: %s %s', (entity, identity, key) => {
    expect(keysOf({ tenant: 'acme', entity, identity })).toEqual([key]);
  });

  it('hands the rest on as it is', () => {
    const question = { tenant: 'acme', operationId: 'o', eventType: 'Order_Updated', state: 'sent' } as const;
    expect(notificationFilter({ ...question, entity: 'Order' }, TENANTS)).toEqual({
      ok: true,
      filter: { ...question, relatedEntity: 'Order' },
    });
  });

  it.each<[string, NotificationQuestion, string]>([
    ['an order number that is none', { orderNumber: '12a' }, 'whole number'],
    ['an identity of nobody knows what', { identity: '4711' }, 'needs entity'],
    ['an entity that there is not', { entity: 'Basket', identity: '1' }, 'needs entity'],
    ['an e-mail, which is kept nowhere (rule 1)', { entity: 'User', identity: 'a@example.com' }, 'operationId'],
    ['an entity without an identity', { entity: 'WarehouseSKU', identity: '1' }, 'operationId'],
    ['an order by what is no number', { entity: 'Order', identity: 'x' }, 'its number'],
    ['two orders at once', { orderNumber: '1', entity: 'Order', identity: '2' }, 'exclude'],
  ])('is refused for %s, and the identity is not repeated', (_, question, problem) => {
    const told = keysOf(question);
    expect(told).toEqual(expect.stringContaining(problem));
    expect(told).not.toContain('@');
  });
});
