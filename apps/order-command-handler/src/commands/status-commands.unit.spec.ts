import { type AttemptAnswer, withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { decisionOf, LOST, PENDING } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { COMMAND_SETTINGS } from '../../test/support/command-settings.ts';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import { type CommandProgress, NOT_STARTED, type ReadPurpose, withFailedRead, withRead } from './command-progress.ts';
import { type CommandSituation, decideStatusCommand } from './status-commands.ts';
import type { Decision } from './decision.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';

const START = Date.parse('2026-11-20T14:00:00Z');
const paid = stateFact(300, at(0));

const given = decisionOf(
  decideStatusCommand,
  (): CommandSituation => ({
    state: null,
    target: 400,
    progress: NOT_STARTED,
    deadlineInMs: null,
    nowMs: START,
    isLagging: false,
    otherOperationIds: [],
  }),
  COMMAND_SETTINGS,
);

function decide(facts: readonly OrderFact[], more: Partial<CommandSituation> = {}): Decision {
  return given({ state: foldFacts(facts), ...more });
}

/** Progress after attempts at five-second steps, each with its answer, the last fact seen being `paid`. */
function sent(...answers: AttemptAnswer[]): CommandProgress {
  return answers.reduce<CommandProgress>((progress, answer, index) => {
    const before = { status: 300, ticks: String(paid.ticks), hash: paid.hash };
    const attempt = {
      at: new Date(START + index * 5_000).toISOString(),
      seenFactId: paid.id,
      before,
      step: 'status' as const,
      priceBefore: null,
    };
    return withAnswer(withAttempt(progress, attempt), answer);
  }, NOT_STARTED);
}

function read(progress: CommandProgress, purpose: ReadPurpose, status: number | null, atMs = START): CommandProgress {
  return withRead(progress, { purpose, at: new Date(atMs).toISOString(), status });
}

const accepted = (operationId: string | null): AttemptAnswer => ({ kind: 'accepted', operationId });
const open = { deadlineInMs: 60_000 };
const late = { deadlineInMs: -1 };

const outcomeOf = (decision: Decision): unknown => {
  if (decision.kind !== 'conclude') return decision;
  const { outcome, evidence, reason } = decision.conclusion;
  return [outcome, evidence, reason !== null && 'code' in reason ? reason.code : null];
};

describe('a status command before its first attempt', () => {
  it('is sent while the order is paid', () => {
    expect(decide([paid])).toEqual({ kind: 'send' });
  });

  it('is invalid for an order of which nothing but refusals is known', () => {
    expect(outcomeOf(decide([]))).toEqual(['invalid', 'none', 'ORDER_UNKNOWN']);
    expect(outcomeOf(decide([refusalFact('other')]))).toEqual(['invalid', 'none', 'ORDER_UNKNOWN']);
  });

  it.each([250, 400, 500])('is invalid without a 300, in status %i', (status) => {
    expect(outcomeOf(decide([stateFact(status, at(1))]))).toEqual(['invalid', 'none', 'NOT_PAID']);
  });

  it.each([750, 800, 1100, 1200])('is invalid in %i, also if it had waited until then', (status) => {
    expect(outcomeOf(decide([paid, stateFact(status, at(1))]))).toEqual(['invalid', 'none', 'STATUS_NOT_SETTABLE']);
  });

  it('is unchanged when the order is so already, and sets nothing', () => {
    const decision = decide([paid, stateFact(400, at(1))]);
    expect(outcomeOf(decision)).toEqual(['unchanged', 'already-in-state', null]);
    expect(decision).toMatchObject({ conclusion: { setsStatus: null } });
  });

  it.each([350, 500, 1000])('leaves it to the platform whether %i may become 400', (status) => {
    expect(decide([paid, stateFact(status, at(1))])).toEqual({ kind: 'send' });
  });

  it('is sent again after a call that cannot have reached the platform (rule 17)', () => {
    expect(decide([paid], { progress: withoutLastAttempt(sent(PENDING), 'credentials') })).toEqual({ kind: 'send' });
  });
});

describe('a status command after its attempt', () => {
  it('is read now and then until the deadline, since its only event may be lost (rule 5)', () => {
    const long = { ...open, deadlineInMs: 900_000 };
    const silent = sent(accepted('op'));
    expect(decide([paid], { ...long, progress: silent })).toEqual({ kind: 'wait', ms: 30_000 });
    expect(decide([paid], { ...long, progress: silent, nowMs: START + 30_000 })).toEqual({
      kind: 'read',
      purpose: 'silence',
    });
    const once = read(silent, 'silence', 300, START + 30_000);
    expect(decide([paid], { ...long, progress: once, nowMs: START + 31_000 })).toEqual({ kind: 'wait', ms: 59_000 });
    expect(decide([paid], { ...open, progress: once, nowMs: START + 31_000, deadlineInMs: 20_000 })).toEqual({
      kind: 'wait',
      ms: 20_000,
    });
  });

  it('is applied by the event of its operation, whatever came after it (rule 10)', () => {
    const facts = [paid, stateFact(400, at(1), { operationId: 'op' }), stateFact(500, at(2))];
    const decision = decide(facts, { ...open, progress: sent(accepted('op')) });
    expect(outcomeOf(decision)).toEqual(['applied', 'event', null]);
    expect(decision).toMatchObject({ conclusion: { setsStatus: 400 } });
  });

  it('is applied by a 400 that is newer than the attempt, without an operation to match (rule 10)', () => {
    const facts = [paid, stateFact(400, at(1), { operationId: 'unheard-of' }), stateFact(500, at(2))];
    expect(outcomeOf(decide(facts, { ...open, progress: sent(LOST) }))).toEqual(['applied', 'event', null]);
    expect(outcomeOf(decide(facts, { ...open, progress: sent(PENDING) }))).toEqual(['applied', 'event', null]);
    expect(outcomeOf(decide(facts, { ...open, progress: sent(accepted(null)) }))).toEqual(['applied', 'event', null]);
  });

  it('is not applied by a 400 from before, however late it arrives (rule 10)', () => {
    const before = stateFact(400, '2026-11-20T09:00:00');
    expect(decide([paid, before], { ...open, progress: sent(accepted('op')) })).toMatchObject({ kind: 'wait' });
  });

  it('is not applied by a 400 that was seen before it was sent (rule 10)', () => {
    const seen = stateFact(400, at(1), { id: '0' });
    const later = stateFact(500, at(2), { id: '0' });
    expect(decide([paid, seen, later], { ...open, progress: sent(accepted('op')) })).toMatchObject({ kind: 'wait' });
  });

  it('asks for the state before a refusal is published, wherever it came from (rule 16)', () => {
    const question = { kind: 'read', purpose: 'refusal' };
    expect(decide([paid, refusalFact('op')], { ...open, progress: sent(accepted('op')) })).toEqual(question);
    expect(decide([paid], { ...open, progress: sent({ kind: 'refused', status: 400, message: '' }) })).toEqual(
      question,
    );
  });

  it("is refused with the platform's error when the state is another (rule 16)", () => {
    const progress = read(sent(accepted('op')), 'refusal', 300);
    const decision = decide([paid, refusalFact('op')], { ...open, progress });
    expect(outcomeOf(decision)).toEqual(['refused', 'event', 'PLATFORM_REFUSED']);
    expect(decision).toMatchObject({ conclusion: { platform: { statusCode: 422, message: 'no' }, setsStatus: null } });
  });

  it('is refused by the answer itself, which is never tried again (rule 17)', () => {
    const progress = read(sent({ kind: 'refused', status: 400, message: 'bad' }), 'refusal', 300);
    const decision = decide([paid], { ...open, progress });
    expect(outcomeOf(decision)).toEqual(['refused', 'none', 'PLATFORM_REFUSED']);
    expect(decision).toMatchObject({ conclusion: { platform: { statusCode: 400, message: 'bad' } } });
  });

  it('is applied although refused, when the target is the current state (rule 16)', () => {
    const reached = stateFact(400, at(1), { operationId: 'somebody-else' });
    const facts = [paid, refusalFact('op'), reached];
    expect(outcomeOf(decide(facts, { ...open, progress: sent(accepted('op')) }))).toEqual([
      'applied',
      'already-in-state',
      null,
    ]);
  });

  it('attributes a refusal that came before the answer to itself as soon as the answer names the operation (rule 5)', () => {
    const refusal = refusalFact('op');
    expect(decide([paid, refusal], { ...open, progress: sent(accepted('op')) })).toMatchObject({ kind: 'read' });
    expect(decide([paid, refusal], { ...open, progress: sent(accepted('other')) })).toMatchObject({ kind: 'wait' });
  });

  it('attributes the next refusal of a status change to itself if no answer named an operation (rule 16)', () => {
    const [ours, cancel] = [refusalFact('op'), refusalFact('op', { eventType: 'Order_CancelFailed' })];
    const earlier = refusalFact('op', { id: '0' });
    const question = { kind: 'read', purpose: 'refusal' };
    expect(decide([paid, ours], { ...open, progress: sent(LOST) })).toEqual(question);
    expect(decide([paid, cancel], { ...open, progress: sent(LOST) })).toMatchObject({ kind: 'wait' });
    expect(decide([paid, earlier], { ...open, progress: sent(LOST) })).toMatchObject({ kind: 'wait' });
  });
});

describe('a status command whose answer was lost', () => {
  const asked = { ...open, nowMs: START + 5_000 };

  it.each([PENDING, LOST])('reads the state before it is sent again (rule 16)', (answer) => {
    expect(decide([paid], { ...open, progress: sent(answer), nowMs: START + 1_000 })).toEqual({
      kind: 'wait',
      ms: 4_000,
    });
    expect(decide([paid], { ...asked, progress: sent(answer) })).toEqual({ kind: 'read', purpose: 'lost-answer' });
  });

  it('is sent again when the state is as before, at most three times (rule 16)', () => {
    const again = decide([paid], { ...asked, progress: read(sent(LOST), 'lost-answer', 300, START + 5_000) });
    expect(again).toEqual({ kind: 'send' });
    const thrice = read(sent(LOST, LOST, LOST), 'lost-answer', 300, START + 30_000);
    expect(decide([paid], { ...open, nowMs: START + 31_000, progress: thrice })).toEqual({ kind: 'wait', ms: 60_000 });
  });

  it('does not trust an old reading, or one from before the last attempt (rule 16)', () => {
    const question = { kind: 'read', purpose: 'lost-answer' };
    const old = read(sent(LOST), 'lost-answer', 300, START + 5_000);
    expect(decide([paid], { ...open, nowMs: START + 60_000, progress: old })).toEqual(question);
    const before = { ...read(sent(LOST), 'lost-answer', 300, START), attempts: sent(LOST, LOST).attempts };
    expect(decide([paid], { ...open, nowMs: START + 60_000, progress: before })).toEqual(question);
  });

  it('is not sent again when the order has moved elsewhere, since that would set it back (rule 16)', () => {
    const progress = read(sent(LOST), 'lost-answer', 500, START + 5_000);
    expect(decide([paid], { ...asked, progress })).toMatchObject({ kind: 'wait' });
  });

  it('is refused when the order was closed meanwhile', () => {
    const progress = read(sent(LOST), 'lost-answer', 800, START + 5_000);
    expect(outcomeOf(decide([paid], { ...asked, progress }))).toEqual(['refused', 'read-back', 'ORDER_CANCELLED']);
  });

  it('is applied if the status that was read shows it (rule 16)', () => {
    const reading = stateFact(400, at(1), { source: 'read', operationId: null });
    expect(outcomeOf(decide([paid, reading], { ...asked, progress: sent(LOST) }))).toEqual([
      'applied',
      'read-back',
      null,
    ]);
  });
});

describe('a status command at its deadline', () => {
  const progress = sent(accepted('op'));

  it('reads the state once more (rule 5)', () => {
    expect(decide([paid], { ...late, progress })).toEqual({ kind: 'read', purpose: 'deadline' });
  });

  it('does not end while notifications wait to be stored (rule 5)', () => {
    expect(decide([paid], { ...late, progress, isLagging: true })).toMatchObject({ kind: 'wait' });
  });

  it('is unconfirmed when the reading does not show the target, and is not sent again (rule 5)', () => {
    const decision = decide([paid], { ...late, progress: read(progress, 'deadline', 300) });
    expect(outcomeOf(decision)).toEqual(['unconfirmed', 'none', 'PLATFORM_SILENT']);
  });

  it('is refused when the order was closed meanwhile', () => {
    const decision = decide([paid], { ...late, progress: read(progress, 'deadline', 750) });
    expect(outcomeOf(decision)).toEqual(['refused', 'read-back', 'ORDER_CANCELLED']);
  });

  it('is unconfirmed when no reading was possible for as long again', () => {
    const failed = withFailedRead(progress, 'timeout', new Date(START).toISOString());
    const decision = decide([paid], { deadlineInMs: -900_000, progress: failed });
    expect(outcomeOf(decision)).toEqual(['unconfirmed', 'none', 'PLATFORM_SILENT']);
  });

  it('is read once more, however long the notifications took to be stored (rule 5)', () => {
    const long = { deadlineInMs: -3_600_000, progress };
    expect(decide([paid], { ...long, isLagging: true })).toMatchObject({ kind: 'wait' });
    expect(decide([paid], long)).toEqual({ kind: 'read', purpose: 'deadline' });
    const before = withFailedRead(progress, 'timeout', new Date(START - 3_600_001).toISOString());
    expect(decide([paid], { ...long, progress: before })).toEqual({ kind: 'read', purpose: 'deadline' });
    const refused = [paid, refusalFact('op')];
    expect(decide(refused, long)).toEqual({ kind: 'read', purpose: 'refusal' });
  });
});

describe('any status command', () => {
  const anyAnswer = fc.constantFrom<AttemptAnswer>(PENDING, LOST, accepted('op'), accepted(null), {
    kind: 'refused',
    status: 400,
    message: '',
  });
  const anySituation = fc.record({
    answers: fc.array(anyAnswer, { maxLength: 3 }),
    facts: fc.shuffledSubarray([
      paid,
      stateFact(400, at(1), { operationId: 'op' }),
      stateFact(400, at(2)),
      stateFact(500, at(3)),
      stateFact(800, at(4)),
      refusalFact('op'),
      refusalFact('other'),
    ]),
    read: fc.option(
      fc.record({
        purpose: fc.constantFrom<ReadPurpose>('lost-answer', 'refusal', 'deadline'),
        status: fc.constantFrom(300, 400, 500, 800, null),
      }),
    ),
    deadlineInMs: fc.constantFrom(60_000, -1, -900_001),
    afterMs: fc.constantFrom(0, 6_000, 60_000),
  });

  it('ends invalid or unchanged only if nothing was sent, and in everything else only if something was (guarantee 3)', () => {
    fc.assert(
      fc.property(anySituation, ({ answers, facts, read: reading, deadlineInMs, afterMs }) => {
        const before = sent(...answers);
        const progress = reading === null ? before : read(before, reading.purpose, reading.status);
        const decision = decide(facts, { progress, deadlineInMs, nowMs: START + afterMs });
        if (decision.kind !== 'conclude') return;
        const isUnsent = ['invalid', 'unchanged'].includes(decision.conclusion.outcome);
        expect(isUnsent).toBe(answers.length === 0);
      }),
    );
  });

  it('is never sent more often than allowed, nor while an accepted call is open', () => {
    fc.assert(
      fc.property(anySituation, ({ answers, facts, read: reading, deadlineInMs, afterMs }) => {
        const before = sent(...answers);
        const progress = reading === null ? before : read(before, reading.purpose, reading.status);
        const decision = decide(facts, { progress, deadlineInMs, nowMs: START + afterMs });
        if (decision.kind !== 'send') return;
        expect(answers.length).toBeLessThan(3);
        expect(answers.at(-1)?.kind ?? 'unknown').not.toBe('accepted');
      }),
    );
  });
});
