import { describe, expect, it } from '@jest/globals';
import type { OpenCommand } from '@gondola/lanes/commands/commands';
import { type AttemptAnswer, withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import { COMMAND_SETTINGS, NOTHING_LOADED } from '../../test/support/command-settings.ts';
import { at, stateFact } from '../../test/support/facts.ts';
import { type CommandProgress, NOT_STARTED } from '../commands/command-progress.ts';
import { judgeCommand } from '../commands/read-command.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts, statusOf } from '../facts/order-state.ts';
import { unknownOrderValues } from '../facts/order-values.ts';
import { NOTHING_PUBLISHED, type PublishedState } from '../orders/published-state.ts';
import { type LanePlan, planLane } from './lane-plan.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.service.ts';
import { NextStep } from './next-step.service.ts';
import type { OrderTenants } from './order-tenants.service.ts';

const NOW_MS = Date.parse('2026-11-20T14:00:00Z');
const DEADLINE_MS = 900_000;
const TENANT = { language: 'pt-BR', settings: COMMAND_SETTINGS } as const;

const next = new NextStep({ of: () => TENANT } as unknown as OrderTenants, { now: () => NOW_MS });
const paid = stateFact(300, at(0));
const prepared = stateFact(400, at(1), { operationId: 'op-1' });

function planOf(lane: LoadedLane): LanePlan {
  return planLane(lane, { nowMs: NOW_MS, isLagging: false }, TENANT);
}

/** A lane whose row says what its first facts do. */
function lane(facts: readonly OrderFact[], published: PublishedState, ...heads: LoadedHead[]): LoadedLane {
  const state = foldFacts(facts);
  const known = foldFacts(facts.slice(0, 1));
  const about = { status: known === null ? null : statusOf(known), orderId: known?.orderId ?? null };
  const row = { ...NOTHING_LOADED.row, ...about, published };
  const values = unknownOrderValues(1, null);
  const claimed = { id: '1', tenant: 'acme', kind: 'order', identity: '1', epoch: '1', failures: 0 };
  const rest = { lane: claimed, orderNumber: '1', order: null, platform: null, personal: [], namedSkus: [] };
  return { ...NOTHING_LOADED, ...rest, state, values, row, heads, seenFactId: facts.at(-1)?.id ?? '0' };
}

function head(answer: AttemptAnswer, isLast = true): LoadedHead {
  const before = { status: 300, ticks: String(paid.ticks), hash: paid.hash };
  const attempt = { at: new Date(NOW_MS).toISOString(), seenFactId: paid.id, before, priceBefore: null };
  const attempted = withAttempt(NOT_STARTED, { ...attempt, step: 'status' as const });
  const progress = answer.kind === 'pending' ? attempted : withAnswer(attempted, answer);
  const { traceparent } = paid;
  const nothing = { pdfCheck: null, pdfOutcome: null, named: null, withdrawable: null };
  const reading = { language: 'pt-BR', units: {} } as const;
  const judged = judgeCommand({ commandId: 'c-1', command: 'StartPreparation', orderNumber: 1 }, reading);
  const open = { commandId: 'c-1', attempts: 1, deadlineInMs: DEADLINE_MS } as OpenCommand;
  return { ...nothing, commandId: 'c-1', traceparent, judged, progress, deadlineInMs: DEADLINE_MS, open, isLast };
}

const ACCEPTED = { kind: 'accepted', operationId: 'op-1' } as const;
const published = planOf(lane([paid], NOTHING_PUBLISHED)).published;

describe('the next step is foreseen', () => {
  it('after a conclusion with no command behind it: the lane sleeps until it is woken, as that step would let it', () => {
    const loaded = lane([paid, prepared], published, head(ACCEPTED));
    const plan = planOf(loaded);
    expect(plan).toMatchObject({ concluded: [{ commandId: 'c-1' }], dueInMs: 0 });
    expect(planOf(lane([prepared, paid], plan.published)).dueInMs).toBeNull();
    expect(next.dueAfterSave({ loaded, plan })).toBeNull();
  });

  it('not where a command waits behind: it has its turn at once', () => {
    const loaded = lane([paid, prepared], published, head(ACCEPTED, false));
    expect(next.dueAfterSave({ loaded, plan: planOf(loaded) })).toBe(0);
  });

  it.each<[string, AttemptAnswer]>([
    ['an accepted', ACCEPTED],
    ['a lost', { kind: 'unknown', cause: 'time-out' }],
  ])('after %s call: the lane sleeps until its state is read', (_, answer) => {
    const called = head(answer);
    const loaded = lane([paid], published, head({ kind: 'pending' }));
    const { dueInMs, calls } = planOf(lane([paid], published, called));
    expect(calls).toEqual([]);
    expect(dueInMs).toBeGreaterThan(0);
    expect(dueAfter(loaded, called.progress)).toBe(dueInMs);
  });

  it('not after a refused call: its step has an outcome or a read to come', () => {
    const refused = head({ kind: 'refused', status: 400, message: 'no' });
    expect(dueAfter(lane([paid], published, head({ kind: 'pending' })), refused.progress)).toBe(0);
  });

  it('not while the row is still to be saved', () => {
    const unsaved = lane([paid], published, head({ kind: 'pending' }));
    const loaded = { ...unsaved, row: { ...unsaved.row, status: null } };
    expect(dueAfter(loaded, head(ACCEPTED).progress)).toBe(0);
  });
});

function dueAfter(loaded: LoadedLane, progress: CommandProgress): number | null {
  return next.dueAfterCall(loaded, { head: loaded.heads[0]!, progress, deadlineMs: DEADLINE_MS });
}
