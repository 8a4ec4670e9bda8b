import { describe, expect, it } from '@jest/globals';
import { fullTopicName, liveTopic, shadowTopic, TOPIC_NAMES, topicNameOf, topicSpec, withShadows } from './topics.ts';

describe('topics', () => {
  it('lists the seventeen topics of the contract', () => {
    expect([...TOPIC_NAMES].toSorted()).toEqual(
      [
        'catalog.skus.v1',
        'dead-letters.v1',
        'erp.catalog.brands.v1',
        'erp.catalog.categories.v1',
        'erp.catalog.prices.v1',
        'erp.catalog.products.v1',
        'erp.catalog.results.v1',
        'erp.catalog.stock.v1',
        'erp.catalog.warehouses.v1',
        'erp.files.commands.v1',
        'erp.files.results.v1',
        'erp.orders.commands.v1',
        'erp.orders.events.v1',
        'erp.orders.results.v1',
        'platform.notifications.catalog.v1',
        'platform.notifications.orders.v1',
        'platform.notifications.users.v1',
      ].toSorted(),
    );
  });

  it('compacts the SKU snapshots alone and keeps dead letters for 30 days', () => {
    expect(TOPIC_NAMES.filter((name) => topicSpec(name).cleanup === 'compact')).toEqual(['catalog.skus.v1']);
    expect(topicSpec('dead-letters.v1').retentionMs).toBe(2_592_000_000);
  });

  it('finds each topic again behind any prefix', () => {
    for (const prefix of ['', 'acme.', 'erp.', 'catalog.skus.v1']) {
      for (const name of TOPIC_NAMES) expect(topicNameOf(prefix, fullTopicName(prefix, name))).toBe(name);
    }
  });

  it('knows no foreign topic', () => {
    expect(topicNameOf('acme.', 'erp.orders.commands.v1')).toBeNull();
    expect(topicNameOf('', 'toString')).toBeNull();
    expect(topicNameOf('', 'erp.orders.commands.v2')).toBeNull();
  });

  it('have a twin for tenants in shadow, except those that no ERP reads', () => {
    const twins = TOPIC_NAMES.filter((name) => shadowTopic(name) !== name);
    const internal = ['platform.notifications.catalog.v1', 'platform.notifications.orders.v1', 'dead-letters.v1'];
    expect(TOPIC_NAMES.filter((name) => !twins.includes(name))).toEqual(internal);
    for (const name of twins) {
      const twin = shadowTopic(name);
      expect(twin).toBe(`shadow.${name}`);
      expect([liveTopic(twin), shadowTopic(twin), topicSpec(twin)]).toEqual([name, twin, topicSpec(name)]);
      expect(topicNameOf('shop.', `shop.${twin}`)).toBe(twin);
    }
    expect(topicNameOf('', 'shadow.another')).toBeNull();
    expect(withShadows(['erp.orders.events.v1', 'dead-letters.v1'], true)).toEqual([
      'erp.orders.events.v1',
      'dead-letters.v1',
      'shadow.erp.orders.events.v1',
    ]);
  });
});
