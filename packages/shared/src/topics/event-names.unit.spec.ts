import { describe, expect, it } from '@jest/globals';
import { ALL_EVENT_NAMES, DELIVERED_ORDER_EVENTS, isFailureEvent, notificationTopic } from './event-names.ts';
import { RELATED_ENTITY_KINDS, type RelatedEntity } from './identities.ts';

const ENTITIES = Object.keys(RELATED_ENTITY_KINDS) as RelatedEntity[];

describe('event names', () => {
  it('lists every documented name once, and the four that are delivered for orders (rule 5)', () => {
    expect(new Set(ALL_EVENT_NAMES).size).toBe(18);
    expect(DELIVERED_ORDER_EVENTS).toEqual({
      Order_Updated: 14,
      Order_StatusUpdateFailed: 118,
      Order_CancelFailed: 132,
      Operation_Failed: 999,
    });
  });

  it('has a way for all eight entities (rule 6)', () => {
    const ways = Object.fromEntries(ENTITIES.map((entity) => [entity, notificationTopic(entity, 'Anything_Else')]));
    const catalog = 'platform.notifications.catalog.v1';
    expect(ways).toEqual({
      Order: 'platform.notifications.orders.v1',
      ProductWithSKUs: catalog,
      Brand: catalog,
      Category: catalog,
      Warehouse: catalog,
      WarehouseSKU: catalog,
      SKUPricing: catalog,
      User: 'platform.notifications.users.v1',
    });
  });

  it('sends Operation_Failed of any entity to the orders (rule 6)', () => {
    for (const entity of ENTITIES) {
      expect(notificationTopic(entity, 'Operation_Failed')).toBe('platform.notifications.orders.v1');
    }
  });

  it('takes failures by their names', () => {
    expect(ALL_EVENT_NAMES.filter((name) => isFailureEvent(name))).toEqual([
      'Order_CreationFailed',
      'Order_UpdateFailed',
      'Order_StatusUpdateFailed',
      'Order_CancelFailed',
      'Operation_Failed',
      'ProductWithSKUs_CreationFailed',
      'ProductWithSKUs_UpdateFailed',
      'ProductWithSKUs_PartiallyFailed',
      'Brand_CreationFailed',
    ]);
  });
});
