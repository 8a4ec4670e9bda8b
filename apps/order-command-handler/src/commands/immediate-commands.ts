import { NOT_TO_BE_CREATED, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import { type OrderState, statusOf } from '../facts/order-state.ts';
import { conclude, type Decision, invalid, type NamedTarget } from './decision.ts';
import { BY_RESULT, defineOrderCommand } from './order-command.ts';
import { judged } from '@gondola/shared/fields/record-shape';

export const releaseOrder = defineOrderCommand<null>({
  name: 'ReleaseOrder',
  queue: 'main',
  deadline: 'commandMs',
  target: null,
  read: () => null,
  skusOf: () => [],
  decide: (_, { state }) => decideRelease(state),
  change: null,
  publishedBy: BY_RESULT,
});

/**
 * `ReleaseOrder` (rule 8): stands in for a 300 that never came. It calls nobody, and ends at once.
 *
 *   a later status or only a 1300, no 300
 *                                    ─▶ applied    the release is stored as a fact; OrderApproved, cause `released`
 *   a 300 or a release is known ─────▶ unchanged  already-in-state
 *   250, or less ────────────────────▶ invalid    NOT_PAID: the payment was refused
 *   750 800 1000 1100 1200 ──────────▶ invalid    ORDER_CANCELLED: nothing is created any more (rule 7)
 *   nothing is known ────────────────▶ invalid    ORDER_UNKNOWN
 */
export function decideRelease(state: OrderState | null): Decision {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  if (status !== null && NOT_TO_BE_CREATED.has(status)) return invalid('ORDER_CANCELLED');
  if (state.paid) return conclude('unchanged', 'already-in-state');
  if (status !== null && status < PAYMENT_APPROVED) return invalid('NOT_PAID');
  const { conclusion } = conclude('applied', 'none');
  return { kind: 'conclude', conclusion: { ...conclusion, effect: { kind: 'release' } } };
}

export const withdrawCommand = defineOrderCommand<{ readonly withdraws: string }>({
  name: 'WithdrawCommand',
  queue: 'withdraw',
  deadline: 'commandMs',
  target: null,
  read: ({ withdraws }) => ({ withdraws: judged(typeof withdraws === 'string' ? withdraws : null) }),
  refersTo: ({ withdraws }) => withdraws,
  skusOf: () => [],
  decide: ({ withdraws }, { named }) => decideWithdraw(withdraws, named),
  change: null,
  publishedBy: BY_RESULT,
});

/**
 * `WithdrawCommand` (rule 19): goes beside all other commands of its order, and ends at once.
 *
 *   the command that it names ── open, nothing sent ─▶ applied    that one ends withdrawn
 *             ├── withdrawn already ─────────────────▶ unchanged  already-in-state
 *             ├── sent, or ended otherwise ──────────▶ invalid    ALREADY_SENT
 *             └── none of this order ────────────────▶ invalid    COMMAND_UNKNOWN
 */
export function decideWithdraw(withdraws: string, named: NamedTarget | null): Decision {
  if (named === null) return invalid('COMMAND_UNKNOWN', { given: JSON.stringify(withdraws) }, 'withdraws');
  const { commandId, outcome, isSent } = named;
  if (outcome === 'withdrawn') return conclude('unchanged', 'already-in-state');
  if (outcome !== null || isSent) return invalid('ALREADY_SENT', { given: JSON.stringify(withdraws) }, 'withdraws');
  const { conclusion } = conclude('applied', 'none');
  return { kind: 'conclude', conclusion: { ...conclusion, effect: { kind: 'withdraw', commandId } } };
}
