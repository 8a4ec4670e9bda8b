import { describe, expect, it } from '@jest/globals';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';
import { releaseFact } from '../facts/release.ts';
import {
  type CommandProgress,
  NOT_STARTED,
  type PayloadRead,
  withFailedRead,
  withoutCall,
  withPayload,
  withRead,
} from './command-progress.ts';
import type { Decision, NamedTarget } from './decision.ts';
import { decideRefresh } from './refresh-order.ts';
import { decideRelease, decideWithdraw } from './immediate-commands.ts';

const paid = stateFact(300, at(0));
const prepared = stateFact(400, at(1));
const released = releaseFact(paid.traceparent);

const endOf = (decision: Decision): unknown => {
  if (decision.kind !== 'conclude') return decision;
  const { outcome, evidence, reason, effect } = decision.conclusion;
  return [outcome, evidence, reason !== null && 'code' in reason ? reason.code : null, effect?.kind ?? null];
};

describe('ReleaseOrder', () => {
  it.each<[string, readonly OrderFact[], unknown]>([
    ['nothing', [], ['invalid', 'none', 'ORDER_UNKNOWN', null]],
    ['refusals alone', [refusalFact('op')], ['invalid', 'none', 'ORDER_UNKNOWN', null]],
    ['a refused payment', [stateFact(250, at(0))], ['invalid', 'none', 'NOT_PAID', null]],
    ['a 300', [paid, prepared], ['unchanged', 'already-in-state', null, null]],
    ['a release', [prepared, released], ['unchanged', 'already-in-state', null, null]],
    ['a cancellation', [prepared, stateFact(750, at(2))], ['invalid', 'none', 'ORDER_CANCELLED', null]],
    ['a refund', [stateFact(1100, at(2))], ['invalid', 'none', 'ORDER_CANCELLED', null]],
    ['a return', [stateFact(1000, at(2))], ['invalid', 'none', 'ORDER_CANCELLED', null]],
    ['a later status', [prepared], ['applied', 'none', null, 'release']],
    ['a delivery', [stateFact(700, at(2))], ['applied', 'none', null, 'release']],
  ])('given %s ends %j (rules 7, 8)', (_, facts, end) => {
    expect(endOf(decideRelease(foldFacts(facts)))).toEqual(end);
  });
});

describe('WithdrawCommand', () => {
  const open: NamedTarget = { commandId: 'c-1', outcome: null, isSent: false };

  it.each<[string, NamedTarget | null, unknown]>([
    ['none', null, ['invalid', 'none', 'COMMAND_UNKNOWN', null]],
    ['an open one, unsent', open, ['applied', 'none', null, 'withdraw']],
    ['one that was sent', { ...open, isSent: true }, ['invalid', 'none', 'ALREADY_SENT', null]],
    ['one that ended', { ...open, outcome: 'invalid' }, ['invalid', 'none', 'ALREADY_SENT', null]],
    ['a withdrawn one', { ...open, outcome: 'withdrawn' }, ['unchanged', 'already-in-state', null, null]],
  ])('that names %s ends %j (rule 19)', (_, named, end) => {
    expect(endOf(decideWithdraw('c-1', named))).toEqual(end);
  });
});

const refresh = (progress: CommandProgress, facts: readonly OrderFact[] = [paid]): Decision =>
  decideRefresh({ progress, state: foldFacts(facts), values: null, skus: [] }, { deadlineMs: 60_000 });
const payload = (kind: PayloadRead['kind']) =>
  withPayload(NOT_STARTED, { purpose: 'refresh', at: '', kind, price: null, registered: false });
const both = (status: number | null, kind: PayloadRead['kind']) =>
  withRead(payload(kind), { purpose: 'refresh', at: '', status });

describe('RefreshOrder', () => {
  it('reads the payload, then the status, whatever the state of the order (rules 18, 19)', () => {
    for (const facts of [[], [paid], [paid, stateFact(800, at(1))]]) {
      expect(refresh(NOT_STARTED, facts)).toEqual({ kind: 'read-payload', purpose: 'refresh' });
      expect(refresh(payload('not-found'), facts)).toEqual({ kind: 'read', purpose: 'refresh' });
    }
  });

  it.each<[number | null, PayloadRead['kind'], unknown]>([
    [300, 'found', ['applied', 'read-back', null, null]],
    [300, 'not-found', ['applied', 'read-back', null, null]],
    [null, 'found', ['applied', 'read-back', null, null]],
    [null, 'not-found', ['refused', 'read-back', 'ORDER_UNKNOWN', null]],
    [null, 'refused', ['refused', 'read-back', 'PLATFORM_REFUSED', null]],
  ])('with status %j and a payload %s ends %j (rule 18)', (status, kind, end) => {
    expect(endOf(refresh(both(status, kind)))).toEqual(end);
  });

  it.each<[string, CommandProgress, unknown]>([
    ['neither was read', NOT_STARTED, ['unconfirmed', 'none', 'PLATFORM_SILENT', null]],
    ['a payload says nothing', payload('not-found'), ['unconfirmed', 'none', 'PLATFORM_SILENT', null]],
    ['the payload was read', payload('found'), ['applied', 'read-back', null, null]],
  ])('ends once reads have failed for the time of its deadline, where %s (rule 5)', (_, before, end) => {
    const first = withFailedRead(before, 'server-error', at(0));
    expect(refresh(first).kind).not.toBe('conclude');
    expect(refresh(withFailedRead(first, 'server-error', minutesAfter(first, 0.99))).kind).not.toBe('conclude');
    expect(endOf(refresh(withFailedRead(first, 'server-error', minutesAfter(first, 1))))).toEqual(end);
    expect(refresh(withoutCall(before, 'throttled', minutesAfter(first, 60))).kind).not.toBe('conclude');
  });

  it('answers with the status that is known after the readings', () => {
    expect(refresh(both(300, 'found'), [paid, prepared])).toMatchObject({
      conclusion: { data: { status: { code: 400, name: 'ORDER_BEING_PREPARED' }, order: null } },
    });
  });
});

/** RFC 3339, counted from the first failed read. */
function minutesAfter({ failingSince }: CommandProgress, minutes: number): string {
  return new Date(Date.parse(failingSince!) + minutes * 60_000).toISOString();
}
