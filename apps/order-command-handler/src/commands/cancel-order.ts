import {
  CANCELLATION_ANALYSIS,
  CANCELLED_STATUSES,
  CLOSED_TO_COMMANDS,
  ORDER_CANCELLED,
  ORDER_RETURNED,
} from '@gondola/shared/orders/order-statuses';
import { judged } from '@gondola/shared/fields/record-shape';
import { type CommandBasis, type CommandSettings, type Decision, conclude, invalid } from './decision.ts';
import { decideSent } from './status-commands.ts';
import { type OrderState, statusOf } from '../facts/order-state.ts';
import { defineOrderCommand } from './order-command.ts';
import { isStoredAfter } from '../facts/order-fact.ts';
import { evidenceOf, isOurs } from './sent-change.ts';

export const cancelOrder = defineOrderCommand<{ readonly reason: string }>({
  name: 'CancelOrder',
  queue: 'cancel',
  deadline: 'commandMs',
  target: ORDER_CANCELLED,
  read: ({ reason }) => ({ reason: judged(typeof reason === 'string' ? reason : null) }),
  skusOf: () => [],
  decide: (_, turn, settings) => decideCancel(turn, settings),
  change: ({ reason }) => ({ kind: 'cancel', reason }),
  publishedBy: {
    kind: 'event',
    isCauseOf: (_, { progress }, fact) => {
      const isCancelling = fact.status === CANCELLATION_ANALYSIS || fact.status === ORDER_CANCELLED;
      const [first] = progress.attempts;
      return isOurs(fact, progress) || (isCancelling && first !== undefined && isStoredAfter(fact, first.seenFactId));
    },
  },
});

const CANCEL_REFUSALS = ['Order_CancelFailed'];

/**
 * `CancelOrder` (rules 5, 10, 19). It goes beside whatever else is open for the order.
 *
 *   queued ── 800 ────────────────────────────▶ unchanged
 *     │   └── 750, 1100, 1200, not paid ──────▶ invalid    ORDER_CANCELLED, NOT_PAID
 *     ▼ send
 *   sent ──▶ 750 ── without a deadline ──┬────▶ applied    at 800 (or the refund that follows it, not a return's)
 *     ├──────────────────────────────────┘
 *     └── refused, lost answer, deadline before 750: as every change of status
 *
 * Events publish its 750 and 800, so the result sets no status. From 750 on `orderWatch` has the status read, so that
 * a lost 800 is found.
 */
export function decideCancel(basis: CommandBasis, settings: CommandSettings): Decision {
  const { state, progress } = basis;
  const last = progress.attempts.at(-1);
  if (last === undefined) return beforeFirstAttempt(state);
  const fact = state?.statusFact ?? null;
  if (state !== null && fact !== null && isCancelled(state)) return conclude('applied', evidenceOf(fact));
  if (fact?.status === CANCELLATION_ANALYSIS) return { kind: 'wait', ms: null };
  const decision = decideSent({ ...basis, target: ORDER_CANCELLED }, last, settings, CANCEL_REFUSALS);
  if (decision.kind !== 'conclude') return decision;
  return { kind: 'conclude', conclusion: { ...decision.conclusion, setsStatus: null } };
}

/** True in 800, and in the refund that follows it; a refund may follow a return instead. */
export function isCancelled(state: OrderState): boolean {
  const has = (wanted: number) => state.facts.some(({ failure, status }) => !failure && status === wanted);
  return CANCELLED_STATUSES.has(statusOf(state) ?? 0) && (has(ORDER_CANCELLED) || !has(ORDER_RETURNED));
}

function beforeFirstAttempt(state: OrderState | null): Decision {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  if (status === ORDER_CANCELLED) return conclude('unchanged', 'already-in-state');
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('ORDER_CANCELLED');
  return state.paid ? { kind: 'send' } : invalid('NOT_PAID');
}
