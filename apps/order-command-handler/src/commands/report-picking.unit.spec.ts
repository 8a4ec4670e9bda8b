import { type AttemptAnswer, withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS, NOTHING_LOADED } from '../../test/support/command-settings.ts';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import { NOT_STARTED, withPayload } from './command-progress.ts';
import { hashOfLines } from './plan-picking.ts';
import { type PickingSituation, decidePicking, reportPicking } from './report-picking.ts';
import { readOrderValues } from '../facts/order-values.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { Decision } from './decision.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';

const START = Date.parse('2026-11-20T14:00:00Z');
const paid = stateFact(300, at(0));

function decide(facts: readonly OrderFact[], more: Partial<PickingSituation> = {}): Decision {
  const basis = { progress: NOT_STARTED, deadlineInMs: null, nowMs: START, isLagging: false, otherOperationIds: [] };
  const asked = { finalOrderPrice: 12.5, problems: [], finalPrice: '12.45' };
  return decidePicking({ state: foldFacts(facts), ...basis, ...asked, ...more }, COMMAND_SETTINGS);
}

function sent(answer: AttemptAnswer, priceBefore = '12.45') {
  const before = { status: 300, ticks: String(paid.ticks), hash: paid.hash };
  const marker = { at: new Date(START).toISOString(), seenFactId: paid.id, before };
  const attempted = withAttempt(NOT_STARTED, { ...marker, step: 'picking', priceBefore });
  return { progress: withAnswer(attempted, answer), deadlineInMs: 60_000 };
}

const outcomeOf = (decision: Decision): unknown => {
  if (decision.kind !== 'conclude') return decision;
  const { outcome, evidence, reason } = decision.conclusion;
  return [outcome, evidence, reason !== null && 'code' in reason ? reason.code : null];
};
const accepted = sent({ kind: 'accepted', operationId: 'op' });
const read = (price: string, priceBefore = '12.45', purpose: 'lost-answer' | 'deadline' = 'lost-answer') => {
  const lost = sent({ kind: 'unknown', cause: 'timeout' }, priceBefore);
  const payload = {
    purpose,
    at: new Date(START + 5_000).toISOString(),
    kind: 'found',
    price,
    registered: false,
  } as const;
  return { ...lost, nowMs: START + 5_000, progress: withPayload(lost.progress, payload) };
};

const failed = (operationId: string) => [paid, refusalFact(operationId, { eventType: 'Operation_Failed' })];

describe('a picking', () => {
  it('is stopped where the order is cancelled or not paid, or its SKUs are wrong (rules 7, 11)', () => {
    expect(outcomeOf(decide([paid, stateFact(750, at(1))]))).toEqual(['invalid', 'none', 'ORDER_CANCELLED']);
    expect(outcomeOf(decide([stateFact(400, at(1))]))).toEqual(['invalid', 'none', 'NOT_PAID']);
    const problems = [{ code: 'SKU_UNKNOWN', field: 'items[0].line' }] as const;
    expect(outcomeOf(decide([paid], { problems }))).toEqual(['invalid', 'none', 'SKU_UNKNOWN']);
    expect(decide([paid])).toEqual({ kind: 'send' });
  });

  it('is confirmed by its own 1300, by another one only with its price (rule 10)', () => {
    const ours = stateFact(1300, at(1), { operationId: 'op' });
    const foreign = stateFact(1300, at(1), { operationId: 'else' });
    expect(outcomeOf(decide([paid, ours], accepted))).toEqual(['applied', 'event', null]);
    expect(decide([paid, foreign], accepted)).toEqual({ kind: 'wait', ms: 60_000 });
    expect(outcomeOf(decide([paid, foreign], { ...accepted, finalPrice: '12.50' }))).toEqual([
      'applied',
      'event',
      null,
    ]);
  });

  it('reports how the recalculated total differs from the reported one (rule 14)', () => {
    const ours = [paid, stateFact(1300, at(1), { operationId: 'op' })];
    expect(decide(ours, { ...accepted, finalPrice: '12.40' })).toMatchObject({
      conclusion: {
        outcome: 'applied',
        data: { finalOrderPrice: '12.50', recalculatedTotal: '12.40', difference: '-0.10' },
        warnings: [{ code: 'PRICE_MISMATCH', params: { given: '12.50', expected: '12.40' } }],
      },
    });
    expect(decide(ours, { ...accepted, finalPrice: '12.50' })).toMatchObject({
      conclusion: { data: { difference: '0.00' }, warnings: [] },
    });
    expect(decide(ours, { ...accepted, finalPrice: null })).toMatchObject({
      conclusion: { data: { recalculatedTotal: null, difference: null }, warnings: [{ code: 'PRICE_UNKNOWN' }] },
    });
  });

  it('is refused by a failure of its operation (rule 5)', () => {
    expect(outcomeOf(decide(failed('op'), accepted))).toEqual(['refused', 'event', 'PLATFORM_REFUSED']);
  });

  it('is read before it is refused where another attempt may have been taken (rules 10, 16)', () => {
    const lost = sent({ kind: 'unknown', cause: 'timeout' });
    expect(decide(failed('unknown'), lost)).toEqual({ kind: 'read-payload', purpose: 'refusal' });
    const second = withAnswer(withAttempt(lost.progress, lost.progress.attempts[0]!), {
      kind: 'accepted',
      operationId: 'op',
    });
    expect(decide(failed('op'), { ...lost, progress: second })).toEqual({ kind: 'read-payload', purpose: 'refusal' });
    const shown = { purpose: 'refusal', at: new Date(START).toISOString(), kind: 'found', registered: false } as const;
    const after = (price: string) => ({ ...lost, progress: withPayload(second, { ...shown, price }) });
    expect(outcomeOf(decide(failed('op'), after('12.50')))).toEqual(['applied', 'read-back', null]);
    expect(outcomeOf(decide(failed('op'), after('12.45')))).toEqual(['refused', 'event', 'PLATFORM_REFUSED']);
  });

  it('reads the payload after a lost answer, and is sent again only while the price is unchanged (rule 16)', () => {
    const lost = { ...sent({ kind: 'pending' }), nowMs: START + 5_000 };
    expect(decide([paid], lost)).toEqual({ kind: 'read-payload', purpose: 'lost-answer' });
    expect(decide([paid], read('12.45'))).toEqual({ kind: 'send' });
    expect(outcomeOf(decide([paid], read('12.50')))).toEqual(['applied', 'read-back', null]);
  });

  it('takes no price for a proof that was there before (rule 16)', () => {
    expect(decide([paid], read('12.50', '12.50'))).toEqual({ kind: 'send' });
  });

  it('is unconfirmed where the payload shows nothing at the deadline, or overtaken (rule 5)', () => {
    const late = { ...read('12.45', '12.45', 'deadline'), deadlineInMs: -1 };
    expect(decide([paid], { ...accepted, deadlineInMs: -1 })).toEqual({ kind: 'read-payload', purpose: 'deadline' });
    expect(outcomeOf(decide([paid], late))).toEqual(['unconfirmed', 'none', 'PLATFORM_SILENT']);
    const cancelled = [paid, stateFact(800, at(1))];
    expect(outcomeOf(decide(cancelled, late))).toEqual(['refused', 'read-back', 'ORDER_CANCELLED']);
  });

  it('is sent once only where a repeat could meet another line, or other lines than before (rules 11, 16)', () => {
    const values = orderOf('s-1', 's-1', 's-2');
    const removing = (line: number, now = values, before = values) => {
      const item = { skuExternalReference: 's-1', line, outcome: 'missing' };
      const record = {
        commandId: 'c',
        command: 'ReportPicking',
        orderNumber: 7,
        finalOrderPrice: '1.00',
        items: [item],
      };
      const lost = read('12.45');
      const attempts = lost.progress.attempts.map((each) => ({ ...each, linesBefore: hashOfLines(before.items) }));
      const turn = {
        ...NOTHING_LOADED,
        ...NO_PDF,
        registeredAt: null,
        sentInvoices: [],
        registration: null,
        ...lost,
        isLagging: false,
        otherOperationIds: [],
        values: now,
      };
      const situation = { ...turn, state: foldFacts([paid]), skus: SKUS, progress: { ...lost.progress, attempts } };
      return reportPicking.decide(reportPicking.read(record, {}), situation, COMMAND_SETTINGS).kind;
    };
    expect(removing(2)).toBe('send');
    expect(removing(1)).toBe('wait');
    expect(removing(2, orderOf('s-1', 's-2'))).toBe('wait');
    expect(removing(2, values, orderOf('s-1', 's-1'))).toBe('wait');
  });
});

const UNIT = { unitOfMeasure: 'Un', orderedQuantity: 1, salePrice: 1, totalPerProduct: 1, manualPrice: 1 };
const NO_PDF = { pdfCheck: null, pdfOutcome: null, attachedAt: null, named: null };
const SKUS = ['s-1', 's-2'].map((sku): KnownSku => {
  return { skuExternalReference: sku, skuId: sku, productId: null, ean: null, reference: sku, name: null };
});

function orderOf(...skuIds: string[]) {
  return readOrderValues({ items: skuIds.map((skuId) => ({ ...UNIT, skuId, reference: skuId })) }, 7);
}
