import { describe, expect, it } from '@jest/globals';
import { ALL_EVENT_NAMES, isFailureEvent, notificationTopic } from './event-names.ts';
import { RELATED_ENTITY_KINDS, type RelatedEntity } from './identities.ts';

const ENTITIES = Object.keys(RELATED_ENTITY_KINDS) as RelatedEntity[];

describe('event names', () => {
  it('list every documented name once', () => {
    expect(new Set(ALL_EVENT_NAMES).size).toBe(18);
  });

  it('lead to a topic for all eight entities (rule 6)', () => {
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

  it('lead to the topic of orders for Operation_Failed of any entity (rule 6)', () => {
    for (const entity of ENTITIES) {
      expect(notificationTopic(entity, 'Operation_Failed')).toBe('platform.notifications.orders.v1');
    }
  });

  it('show failures', () => {
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
