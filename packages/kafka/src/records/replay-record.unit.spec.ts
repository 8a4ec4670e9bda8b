import { describe, expect, it } from '@jest/globals';

import { gondolaTopic, REPLAYED_TOPICS } from '@gondola/shared/topics/replayed-topics';
import type { TopicName } from '@gondola/shared/topics/topics';

import { isPassedReplay } from './replay-record.ts';
import { HEADER, headerText, type InRecord, type RawHeaders } from './record-codec.ts';

function consumed(topic: TopicName, headers: RawHeaders): InRecord {
  const place = { topic, partition: 0, offset: '1', timestamp: '1', key: null, value: null, headers };
  return { ...place, header: (name) => headerText(headers, name) };
}

describe('records that are published again', () => {
  it('are those that an app publishes for ERPs and can find again, each by its app', () => {
    expect(REPLAYED_TOPICS).toEqual([
      { topic: 'erp.catalog.results.v1', app: 'catalog-publisher', hasOrders: false, isCompacted: false },
      { topic: 'erp.orders.results.v1', app: 'order-command-handler', hasOrders: true, isCompacted: false },
      { topic: 'erp.files.results.v1', app: 'file-gateway', hasOrders: true, isCompacted: false },
      { topic: 'erp.orders.events.v1', app: 'order-command-handler', hasOrders: true, isCompacted: false },
      { topic: 'catalog.skus.v1', app: 'catalog-publisher', hasOrders: false, isCompacted: true },
    ]);
  });

  it('are found by the name of their topic with or without its version', () => {
    expect(gondolaTopic('erp.orders.events')).toBe('erp.orders.events.v1');
    expect(gondolaTopic('erp.orders.events.v1')).toBe('erp.orders.events.v1');
    expect(gondolaTopic('shadow.catalog.skus.v1')).toBe('shadow.catalog.skus.v1');
    expect(gondolaTopic('erp.orders')).toBeUndefined();
  });

  it('are passed over by Gondola’s own consumers, but not where the first one may be compacted away, nor an ERP’s', () => {
    const replay: RawHeaders = [[HEADER.replay, Buffer.from('3')]];
    expect(isPassedReplay(consumed('erp.files.results.v1', replay))).toBe(true);
    expect(isPassedReplay(consumed('erp.files.results.v1', []))).toBe(false);
    expect(isPassedReplay(consumed('catalog.skus.v1', replay))).toBe(false);
    expect(isPassedReplay(consumed('erp.orders.commands.v1', replay))).toBe(false);
    expect(isPassedReplay(consumed('erp.files.commands.v1', replay))).toBe(false);
  });
});
