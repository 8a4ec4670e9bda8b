import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { orderStatus } from '@gondola/shared/orders/order-statuses';
import { statusOf } from '../facts/order-state.ts';
import { withSkus } from '../skus/match-skus.ts';
import type { CommandProgress } from './command-progress.ts';
import { type CommandSettings, conclude, type CommandTurn, type Decision } from './decision.ts';
import { BY_RESULT, defineOrderCommand } from './order-command.ts';

export const refreshOrder = defineOrderCommand<null>({
  name: 'RefreshOrder',
  queue: 'refresh',
  deadline: 'commandMs',
  target: null,
  read: () => null,
  skusOf: () => [],
  decide: (_, turn, settings) => decideRefresh(turn, settings),
  change: null,
  publishedBy: BY_RESULT,
});

/**
 * `RefreshOrder` (rules 18, 19): reads the order again, in any state and beside any open command. Only this command
 * reads an order that Gondola does not know.
 *
 *   queued ──▶ GET webhook-payload ──▶ GET status ──┬─ one of them knows the order ─▶ applied  read-back, with `data`
 *                                                   └─ neither does ────────────────▶ refused  ORDER_UNKNOWN,
 *     │                                                                 PLATFORM_REFUSED where it only said no
 *     └── a read still fails when the deadline has passed, counted from the first one that failed:
 *           the payload was read ─▶ applied  read-back       neither was ─▶ unconfirmed  PLATFORM_SILENT
 *
 * Reads are stored as facts, so that events publish the changes: the payload first, so that an
 * unknown order is created with its values.
 */
export function decideRefresh(
  turn: Pick<CommandTurn, 'progress' | 'state' | 'values' | 'skus'>,
  { deadlineMs }: Pick<CommandSettings, 'deadlineMs'>,
): Decision {
  const { read, payload } = turn.progress;
  const isUnreadable = hasFailedFor(turn.progress, deadlineMs);
  if (isUnreadable && (payload === null || (read === null && payload.kind !== 'found')))
    return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  if (payload === null) return { kind: 'read-payload', purpose: 'refresh' };
  if (read === null && !isUnreadable) return { kind: 'read', purpose: 'refresh' };
  if ((read?.status ?? null) === null && payload.kind !== 'found') {
    const code = payload.kind === 'not-found' ? 'ORDER_UNKNOWN' : 'PLATFORM_REFUSED';
    return conclude('refused', 'read-back', { code });
  }
  const { conclusion } = conclude('applied', 'read-back');
  return { kind: 'conclude', conclusion: { ...conclusion, data: orderData(turn) } };
}

/** True if a read failed `ms` or longer after the first one that failed. */
function hasFailedFor({ failingSince, failedAt }: CommandProgress, ms: number): boolean {
  return failingSince !== null && failedAt !== null && Date.parse(failedAt) - Date.parse(failingSince) >= ms;
}

/** The order after the reads; items and amounts are null without a payload. */
function orderData({ state, values, skus }: Pick<CommandTurn, 'state' | 'values' | 'skus'>): JsonRecord {
  const status = state === null ? null : statusOf(state);
  return {
    status: status === null ? null : { ...orderStatus(status) },
    order: values === null ? null : withSkus(values, skus),
  };
}
