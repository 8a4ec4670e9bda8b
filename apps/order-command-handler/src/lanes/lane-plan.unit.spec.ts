import { withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS, NOTHING_LOADED } from '../../test/support/command-settings.ts';
import { at, stateFact } from '../../test/support/facts.ts';
import { NOT_STARTED, withFailedRead } from '../commands/command-progress.ts';
import { type LanePlan, planLane } from './lane-plan.ts';
import type { HeadCommand } from './lane-situation.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { judgeCommand } from '../commands/read-command.ts';
import { NO_OPEN_STEPS } from '../orders/order-row.ts';
import type { OrderWatch } from '../orders/order-row.ts';
import { foldFacts } from '../facts/order-state.ts';
import { unknownOrderValues } from '../facts/order-values.ts';
import { NOTHING_PUBLISHED, type PublishedState } from '../orders/published-state.ts';

const READING = { language: 'pt-BR', units: {} } as const;
const paid = stateFact(300, at(0));
const waiting: HeadCommand = {
  commandId: 'c-1',
  pdfCheck: null,
  pdfOutcome: null,
  named: null,
  traceparent: paid.traceparent,
  judged: judgeCommand({ commandId: 'c-1', command: 'StartPreparation', orderNumber: 1 }, READING),
  progress: NOT_STARTED,
  deadlineInMs: null,
};

function plan(
  facts: readonly OrderFact[],
  published: PublishedState,
  head: HeadCommand | readonly HeadCommand[] | null,
  { watch = null, nowMs = 0 }: { readonly watch?: OrderWatch | null; readonly nowMs?: number } = {},
): LanePlan {
  const state = foldFacts(facts);
  const values = state === null ? null : unknownOrderValues(100234, null);
  return planLane(
    {
      ...NOTHING_LOADED,
      state,
      values,
      row: { ...NOTHING_LOADED.row, published, watch },
      heads: head === null ? [] : [head].flat(),
    },
    { nowMs, isLagging: false },
    { language: 'pt-BR', settings: COMMAND_SETTINGS },
  );
}

const publishedPaid = plan([paid], NOTHING_PUBLISHED, null).published;

function callsOf(...heads: HeadCommand[]): string[] {
  return plan([paid], publishedPaid, heads).calls.map((call) => ('commandId' in call ? call.commandId : call.kind));
}

function sent(operationId: string): HeadCommand {
  const before = { status: 300, ticks: String(paid.ticks), hash: paid.hash };
  const attempted = withAttempt(NOT_STARTED, {
    at: '2026-11-20T14:00:00Z',
    seenFactId: paid.id,
    before,
    step: 'status' as const,
    priceBefore: null,
  });
  return { ...waiting, progress: withAnswer(attempted, { kind: 'accepted', operationId }), deadlineInMs: 60_000 };
}

describe("a step of an order's lane", () => {
  it('sleeps until its next time limit where there is nothing to publish and nothing to do', () => {
    expect(plan([paid], publishedPaid, null)).toEqual({
      published: publishedPaid,
      events: [],
      concluded: [],
      corrections: [],
      pdf: null,
      release: null,
      watch: null,
      openSteps: NO_OPEN_STEPS,
      calls: [],
      dueInMs: COMMAND_SETTINGS.limits.notPreparedMs,
    });
  });

  it('publishes an order before anything is sent for it (rules 7, 10)', () => {
    const first = plan([paid], NOTHING_PUBLISHED, waiting);
    expect(first).toMatchObject({ events: [{ type: 'OrderApproved' }], calls: [], concluded: [], dueInMs: 0 });
    expect(plan([paid], first.published, waiting)).toMatchObject({
      events: [],
      calls: [{ kind: 'send', change: { kind: 'status', target: 400 } }],
    });
  });

  it('ends a command by its echo without an event, and publishes what came after it (rule 10)', () => {
    const echo = stateFact(400, at(1), { operationId: 'op' });
    expect(plan([paid, echo], publishedPaid, sent('op'))).toMatchObject({
      events: [],
      concluded: [{ conclusion: { outcome: 'applied', revision: 1 } }],
      published: { revision: 1, status: 400 },
      dueInMs: 0,
    });
    expect(plan([paid, echo, stateFact(500, at(2))], publishedPaid, sent('op'))).toMatchObject({
      events: [{ type: 'OrderReady', revision: 2, previousStatus: 400 }],
      concluded: [{ conclusion: { outcome: 'applied', revision: 1 } }],
    });
  });

  it('gives the commands of an order turns at calling: the one that called last comes last (rule 19)', () => {
    const refresh: HeadCommand = {
      ...waiting,
      commandId: 'r-1',
      judged: judgeCommand({ commandId: 'r-1', command: 'RefreshOrder', orderNumber: 1 }, READING),
    };
    expect(callsOf(refresh, waiting)).toEqual(['r-1', 'c-1']);
    const failed = { ...refresh, progress: withFailedRead(NOT_STARTED, 'server-error', '2026-11-20T14:00:00.000Z') };
    expect(callsOf(failed, waiting)).toEqual(['c-1', 'r-1']);
    const failedLater = withFailedRead(NOT_STARTED, 'server-error', '2026-11-20T14:00:01.000Z');
    expect(callsOf(failed, { ...waiting, progress: failedLater })).toEqual(['r-1', 'c-1']);
  });

  it('ends a sent command by its own operation alone once the tenant has other units than its record (rule 5)', () => {
    const judged = judgeCommand({ commandId: 'c-1', command: 'NoSuchCommand', orderNumber: 1 }, READING);
    const endOf = (head: HeadCommand, ...facts: OrderFact[]) =>
      plan([paid, ...facts], publishedPaid, head).concluded.map(({ conclusion }) => conclusion.outcome);
    expect(endOf({ ...waiting, judged })).toEqual(['invalid']);
    const unreadable = { ...sent('op'), judged };
    expect(endOf(unreadable)).toEqual([]);
    expect(endOf(unreadable, stateFact(400, at(1), { operationId: 'op' }))).toEqual(['applied']);
    expect(endOf({ ...unreadable, deadlineInMs: 0 })).toEqual(['unconfirmed']);
    expect(plan([paid], publishedPaid, { ...unreadable, deadlineInMs: 0 }).concluded).toMatchObject([
      { conclusion: { reason: { code: 'PLATFORM_SILENT' }, errors: [] } },
    ]);
  });

  it('publishes a status once, though the echo of an older command comes behind it (rule 10)', () => {
    const cancelled = stateFact(800, at(2));
    const { published, events } = plan([paid, cancelled], publishedPaid, sent('op'));
    expect(events).toMatchObject([{ type: 'OrderCancelled', revision: 2, previousStatus: 300 }]);
    const echo = stateFact(400, at(1), { operationId: 'op' });
    expect(plan([paid, cancelled, echo], published, sent('op'))).toMatchObject({
      events: [],
      concluded: [{ conclusion: { outcome: 'applied', revision: 2 } }],
      published: { revision: 2, status: 800 },
    });
  });

  it('publishes a 400 that was seen before the attempt, and ends the command unchanged with its revision (rule 10)', () => {
    expect(plan([paid, stateFact(400, at(1))], publishedPaid, waiting)).toMatchObject({
      events: [{ type: 'PreparationStarted', revision: 2 }],
      concluded: [{ conclusion: { outcome: 'unchanged', evidence: 'already-in-state', revision: 2 } }],
    });
  });

  it("says why a command was stopped, in the tenant's language", () => {
    expect(plan([stateFact(800, at(1)), paid], NOTHING_PUBLISHED, waiting)).toMatchObject({
      concluded: [
        {
          conclusion: {
            outcome: 'invalid',
            reason: {
              code: 'STATUS_NOT_SETTABLE',
              message: 'O status atual do pedido (800) não permite esta mudança.',
            },
            revision: null,
          },
        },
      ],
    });
  });

  it('sleeps until the deadline of what was sent', () => {
    expect(plan([paid], publishedPaid, sent('op'))).toMatchObject({ calls: [], concluded: [], dueInMs: 60_000 });
  });
});

describe('an order that stays in 750', () => {
  const facts = [paid, stateFact(750, at(1))];
  const begun = plan(facts, publishedPaid, null);

  it('is read when it is time, without any command, and asleep until then (rule 5)', () => {
    expect(begun).toMatchObject({ events: [{ type: 'CancellationStarted' }], calls: [], dueInMs: 60_000 });
    const { watch, published } = begun;
    expect(plan(facts, published, null, { watch, nowMs: 59_999 })).toMatchObject({ calls: [], dueInMs: 1 });
    expect(plan(facts, published, null, { watch, nowMs: 60_000 })).toMatchObject({ calls: [{ kind: 'watch', watch }] });
  });

  it('is no longer watched after it leaves the status', () => {
    const { watch, published } = begun;
    const moved = plan([...facts, stateFact(800, at(2))], published, null, { watch, nowMs: 60_000 });
    expect(moved).toMatchObject({ events: [{ type: 'OrderCancelled' }], watch: null, calls: [], dueInMs: null });
  });
});
