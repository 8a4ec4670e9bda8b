import { describe, expect, it } from '@jest/globals';

import { numberFromToken } from '@gondola/shared/json/json-digits';
import { type ResultEntity, buildResult } from '@gondola/shared/results/result';

import { resultRecord } from './result-record.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function resultOf(entity: ResultEntity | null, data = {}) {
  return buildResult({
    tenant: 'acme',
    inputTopic: 'erp.orders.commands.v1',
    commandId: 'c-88',
    command: 'StartPreparation',
    entity,
    outcome: 'applied',
    time: '2026-11-20T13:15:02.114Z',
    receivedAt: '2026-11-20T13:15:00.000Z',
    data,
  });
}

describe('a result as a record', () => {
  it('is keyed by its dedup key and ordered by its entity', () => {
    const result = resultOf({ kind: 'order', orderNumber: 100_234 });
    expect(resultRecord('erp.orders.results.v1', result, TRACEPARENT)).toEqual({
      topic: 'erp.orders.results.v1',
      key: 'acme:result:erp.orders.commands.v1:c-88:applied',
      id: 'acme:result:erp.orders.commands.v1:c-88:applied',
      type: 'gondola.result.v1',
      time: '2026-11-20T13:15:02.114Z',
      tenant: 'acme',
      commandId: 'c-88',
      subject: 'order/100234',
      partitionKey: 'acme/order/100234',
      traceparent: TRACEPARENT,
      value: Buffer.from(JSON.stringify(result)),
    });
  });

  it.each<[ResultEntity, string]>([
    [{ kind: 'product', externalReference: '4711' }, 'acme/product/4711'],
    [{ kind: 'brand', externalReference: 'a/b' }, 'acme/brand/a/b'],
    [{ kind: 'sku', externalReference: '4711-1' }, 'acme/sku/4711-1'],
    [{ kind: 'price', externalReference: '4711-1', policy: 'p' }, 'acme/price/4711-1'],
    [{ kind: 'file', entityId: 'e-1' }, 'acme/file/e-1'],
  ])('about %j is partitioned by %s', (entity, expected) => {
    expect(resultRecord('erp.catalog.results.v1', resultOf(entity), TRACEPARENT).partitionKey).toBe(expected);
  });

  it('about no readable entity is partitioned by its command and has no subject', () => {
    const record = resultRecord('erp.orders.results.v1', resultOf(null), TRACEPARENT);
    expect(record).toMatchObject({ partitionKey: 'acme/command/c-88' });
    expect(record).not.toHaveProperty('subject');
  });

  it("keeps the platform's digits (rule 21)", () => {
    const result = resultOf(null, { total: numberFromToken('12.40') });
    expect(resultRecord('erp.files.results.v1', result, TRACEPARENT).value?.toString()).toContain(
      '"data":{"total":12.40}',
    );
  });

  it('is shortened to the limit of its topic and marked so, so that the ERP gets the outcome', () => {
    const record = resultRecord('erp.orders.results.v1', resultOf(null, { text: 'ç'.repeat(700_000) }), TRACEPARENT);
    expect(record.value?.byteLength).toBeLessThan(1_000_000);
    expect(JSON.parse(record.value!.toString())).toMatchObject({
      outcome: 'applied',
      data: null,
      warnings: [{ code: 'RESULT_CUT', field: 'data' }],
    });
  });
});
