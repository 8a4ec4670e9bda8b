import { describe, expect, it } from '@jest/globals';
import { topicOf } from './record-topic.ts';

describe('the topic of a record', () => {
  it.each([
    ['produtos.jsonl', '{}', 'erp.catalog.products.v1'],
    ['/produtos/erp.catalog.stock.v1.jsonl', '{}', 'erp.catalog.stock.v1'],
    ['precos-2026.csv', '{"children":[]}', 'erp.catalog.prices.v1'],
    ['a.jsonl', '{"commandId":"c","orderNumber":1}', 'erp.orders.commands.v1'],
    ['a.jsonl', '{"commandId":"c","command":"ReadInvoice","orderNumber":1}', 'erp.files.commands.v1'],
    ['a.jsonl', '{"command":"ListFiles"}', 'erp.files.commands.v1'],
    ['a.jsonl', '{"data":{},"warehouse":"w"}', 'erp.catalog.stock.v1'],
    ['a.jsonl', '{"data":{}}', 'erp.catalog.prices.v1'],
    ['a.jsonl', '{"showInStoreFront":true}', 'erp.catalog.categories.v1'],
    ['a.jsonl', '{"name":', 'erp.catalog.products.v1'],
  ])('of %s with %s is %s', (file, text, topic) => {
    expect(topicOf(file, { line: 1, text })).toBe(topic);
  });
});
