import { type AttemptAnswer, withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import { decisionOf } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS } from '../../test/support/command-settings.ts';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import { NOT_STARTED, withRead } from './command-progress.ts';
import { decideCancel } from './cancel-order.ts';
import type { CommandBasis, Decision } from './decision.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';

const START = Date.parse('2026-11-20T14:00:00Z');
const paid = stateFact(300, at(0));

const given = decisionOf(
  decideCancel,
  (): CommandBasis => ({
    state: null,
    progress: NOT_STARTED,
    deadlineInMs: null,
    nowMs: START,
    isLagging: false,
    otherOperationIds: [],
  }),
  COMMAND_SETTINGS,
);

function decide(facts: readonly OrderFact[], more: Partial<CommandBasis> = {}): Decision {
  return given({ state: foldFacts(facts), ...more });
}

function sent(answer: AttemptAnswer) {
  const before = { status: 300, ticks: String(paid.ticks), hash: paid.hash };
  const marker = { at: new Date(START).toISOString(), seenFactId: paid.id, before };
  const attempted = withAttempt(NOT_STARTED, { ...marker, step: 'cancel', priceBefore: null });
  return { progress: withAnswer(attempted, answer), deadlineInMs: 60_000 };
}

const accepted = sent({ kind: 'accepted', operationId: 'op' });
const outcomeOf = (decision: Decision): unknown => {
  if (decision.kind !== 'conclude') return decision;
  const { outcome, reason, setsStatus } = decision.conclusion;
  return [outcome, reason !== null && 'code' in reason ? reason.code : null, setsStatus];
};

describe('a cancel', () => {
  it.each([
    [800, 'unchanged', null],
    [750, 'invalid', 'ORDER_CANCELLED'],
    [1100, 'invalid', 'ORDER_CANCELLED'],
    [1200, 'invalid', 'ORDER_CANCELLED'],
  ])('is not sent in %i (rule 16)', (status, outcome, code) => {
    expect(outcomeOf(decide([paid, stateFact(status, at(1))]))).toEqual([outcome, code, null]);
  });

  it('is sent to a paid order only (rule 7)', () => {
    expect(decide([paid])).toEqual({ kind: 'send' });
    expect(outcomeOf(decide([stateFact(400, at(1))]))).toEqual(['invalid', 'NOT_PAID', null]);
    expect(outcomeOf(decide([]))).toEqual(['invalid', 'ORDER_UNKNOWN', null]);
  });

  it('has no deadline from its 750 on, and is applied by 800 or what follows it (rules 5, 10)', () => {
    const analysis = stateFact(750, at(1), { operationId: 'op' });
    expect(decide([paid, analysis], { ...accepted, deadlineInMs: -1 })).toEqual({ kind: 'wait', ms: null });
    for (const status of [800, 1100, 1200]) {
      expect(outcomeOf(decide([paid, analysis, stateFact(status, at(2))], accepted))).toEqual(['applied', null, null]);
    }
  });

  it('is not applied by the refund of a return, but by one that follows an 800 all the same (rule 10)', () => {
    const returned = [paid, stateFact(700, at(1)), stateFact(1000, at(2)), stateFact(1100, at(4))];
    expect(decide(returned, accepted)).toEqual({ kind: 'wait', ms: 30_000 });
    expect(outcomeOf(decide([...returned, stateFact(800, at(3))], accepted))).toEqual(['applied', null, null]);
  });

  it('is refused by its own failure once the status was read (rules 5, 16)', () => {
    const facts = [paid, refusalFact('op', { eventType: 'Order_CancelFailed' })];
    expect(decide(facts, accepted)).toEqual({ kind: 'read', purpose: 'refusal' });
    const progress = withRead(accepted.progress, { purpose: 'refusal', at: '2026-11-20T14:00:00Z', status: 300 });
    expect(outcomeOf(decide(facts, { ...accepted, progress }))).toEqual(['refused', 'PLATFORM_REFUSED', null]);
  });

  it('is not refused by what another command met (rule 19)', () => {
    const facts = [paid, refusalFact('other', { eventType: 'Order_StatusUpdateFailed' })];
    expect(decide(facts, sent({ kind: 'accepted', operationId: null }))).toEqual({ kind: 'wait', ms: 30_000 });
  });

  it('is read before it is sent again after a lost answer (rule 16)', () => {
    const lost = sent({ kind: 'pending' });
    expect(decide([paid], { ...lost, nowMs: START + 5_000 })).toEqual({ kind: 'read', purpose: 'lost-answer' });
  });
});
