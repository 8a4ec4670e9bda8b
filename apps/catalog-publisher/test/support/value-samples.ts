import { filledData } from '@gondola/platform-client/wire-bodies';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import type { OpenValue, ValueContext, ValueSituation } from '../../src/values/plan-values.ts';
import { NEW_VALUE_LANE, type ValueProgress } from '../../src/values/value-lane-state.ts';

const SENT_AT = Date.parse('2026-11-20T13:00:00.000Z');
const SETTINGS = { deadlineMs: 900_000, settleMs: 30_000, lostAnswerMs: 5_000, timeoutMs: 30_000, maxAttempts: 3 };

export const ACCEPTED = { kind: 'accepted', operationId: 'op-1', at: '2026-11-20T13:00:00.000Z' } as const;

/** Situation of a plan at a time after the values were sent. */
export function contextAt(afterMs: number, more: Partial<ValueContext> = {}): ValueContext {
  const nowMs = SENT_AT + afterMs;
  return {
    language: 'en',
    settings: SETTINGS,
    referencesMs: 86_400_000,
    nowMs,
    consumedUpToMs: nowMs,
    ...more,
  };
}

/** A value that was never sent. */
export function freshValue(id: string, price: number, more: JsonRecord = {}): OpenValue {
  const value = Buffer.from(JSON.stringify({ externalReference: '4711-1', data: { price }, ...more }));
  return { id, value, progress: null, waiting: null, deadlineInMs: null };
}

/** A value that was sent so often, each attempt with this answer. */
export function sentValue(id: string, price: number, answers: readonly AttemptAnswer[], turn = 1): OpenValue {
  const progress: ValueProgress = {
    body: { price, skuId: 'guid-1', commercialPolicyId: 'p' },
    sourceVersion: null,
    turn,
    blocked: null,
    attempts: answers.map((answer) => ({ at: '2026-11-20T13:00:00.000Z', seenReportId: '10', shared: true, answer })),
  };
  return { ...freshValue(id, price), progress, deadlineInMs: 900_000 };
}

/** A price's lane whose SKU is known. */
export function situationOf(values: readonly OpenValue[], more: Partial<ValueSituation> = {}): ValueSituation {
  return {
    kind: 'price',
    externalReference: '4711-1',
    state: NEW_VALUE_LANE,
    values,
    hasMore: false,
    reports: [],
    missing: null,
    filling: {
      kind: 'price',
      names: { fields: { skuId: '<SKU_ID>', commercialPolicyId: 'p' }, policies: {} },
      sku: { skuId: 'guid-1', productId: 'guid-p' },
      fill: filledData,
    },
    ...more,
  };
}
