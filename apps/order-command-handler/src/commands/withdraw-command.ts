import { judged } from '@gondola/shared/fields/record-shape';
import { conclude, type Decision, invalid, type NamedTarget } from './decision.ts';
import { BY_RESULT, defineOrderCommand } from './order-command.ts';

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
