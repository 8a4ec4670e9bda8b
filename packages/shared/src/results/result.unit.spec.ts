import { describe, expect, it } from '@jest/globals';
import { OUTCOMES } from '../outcomes/outcomes.ts';
import { type ResultParts, buildResult } from './result.ts';

const parts: ResultParts = {
  tenant: 'acme',
  inputTopic: 'erp.orders.commands.v1',
  commandId: 'c-88',
  command: 'StartPreparation',
  entity: { kind: 'order', orderNumber: 100_234 },
  outcome: 'applied',
  time: '2026-11-20T13:15:02.114Z',
  receivedAt: '2026-11-20T13:15:00.000Z',
};

describe('result', () => {
  it('has every key of the contract, with null, [] or none where there is nothing to tell', () => {
    expect(buildResult({ ...parts, revision: 4, evidence: 'event', operationIds: ['o'], attempts: 1 })).toEqual({
      id: 'acme:result:erp.orders.commands.v1:c-88:applied',
      type: 'gondola.result.v1',
      tenant: 'acme',
      time: '2026-11-20T13:15:02.114Z',
      commandId: 'c-88',
      parentCommandId: null,
      command: 'StartPreparation',
      entity: { kind: 'order', orderNumber: 100_234 },
      outcome: 'applied',
      final: true,
      revision: 4,
      reason: null,
      errors: [],
      warnings: [],
      data: null,
      evidence: 'event',
      operationIds: ['o'],
      attempts: 1,
      receivedAt: '2026-11-20T13:15:00.000Z',
      finishedAt: '2026-11-20T13:15:02.114Z',
      platform: null,
    });
  });

  it('is final in every outcome but waiting', () => {
    for (const outcome of OUTCOMES) {
      const result = buildResult({ ...parts, outcome });
      expect(result.final).toBe(outcome !== 'waiting');
      expect(result.finishedAt === null).toBe(outcome === 'waiting');
    }
  });

  it('carries what only some outcomes have', () => {
    expect(
      buildResult({ ...parts, outcome: 'invalid', suffix: '0123456789abcdef', conflictsWith: null }),
    ).toMatchObject({
      id: 'acme:result:erp.orders.commands.v1:c-88:invalid:0123456789abcdef',
      conflictsWith: null,
    });
    expect(buildResult({ ...parts, outcome: 'corrected', correctedOutcome: 'refused', corrects: 'x' })).toMatchObject({
      final: true,
      correctedOutcome: 'refused',
      corrects: 'x',
    });
    const awaited = [{ kind: 'brand', externalReference: 'b' }] as const;
    expect(buildResult({ ...parts, outcome: 'waiting', suffix: 2, for: awaited })).toMatchObject({ for: awaited });
  });
});
