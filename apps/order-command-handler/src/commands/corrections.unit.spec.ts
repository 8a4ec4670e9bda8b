import { describe, expect, it } from '@jest/globals';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import type { UnconfirmedCommand } from '../orders/order-row.ts';
import { findCorrections } from './corrections.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';

const unconfirmed: UnconfirmedCommand = {
  commandId: 'c-1',
  command: 'StartPreparation',
  resultId: 'acme:result:erp.orders.commands.v1:c-1:unconfirmed',
  target: 400,
  operationIds: ['op'],
  receivedAt: '2026-11-20T13:15:00Z',
  attempts: 1,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};
const paid = stateFact(300, at(0));

const corrections = (...facts: OrderFact[]) => findCorrections(foldFacts([paid, ...facts]), [unconfirmed]);

describe('an unconfirmed command', () => {
  it('is corrected by the late event of its operation, whose status counts as published (guarantee 3) (rule 10)', () => {
    expect(corrections(stateFact(400, at(1), { operationId: 'op' }))).toMatchObject([
      { correctedOutcome: 'applied', setsStatus: 400 },
    ]);
  });

  it('is corrected without setting a status back that came after it (rule 10)', () => {
    expect(corrections(stateFact(400, at(1), { operationId: 'op' }), stateFact(500, at(2)))).toMatchObject([
      { correctedOutcome: 'applied', setsStatus: null },
    ]);
  });

  it('is corrected by the late refusal of its operation (guarantee 3)', () => {
    expect(corrections(refusalFact('op'))).toMatchObject([
      { correctedOutcome: 'refused', platform: { statusCode: 422 }, setsStatus: null },
    ]);
  });

  it('is not corrected by what happens to fit (guarantee 3)', () => {
    expect(corrections(stateFact(400, at(1), { operationId: 'other' }), refusalFact('other'))).toEqual([]);
    expect(findCorrections(null, [unconfirmed])).toEqual([]);
  });
});
