import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { orderStatus } from '@gondola/shared/orders/order-statuses';
import { statusOf } from '../orders/order-state.ts';
import { withSkus } from '../skus/match-skus.ts';
import { conclude, type CommandTurn, type Decision } from './decision.ts';
import { BY_RESULT, defineOrderCommand } from './order-command.ts';

export const refreshOrder = defineOrderCommand<null>({
  name: 'RefreshOrder',
  queue: 'refresh',
  deadline: 'commandMs',
  target: null,
  read: () => null,
  skusOf: () => [],
  decide: (_, turn) => decideRefresh(turn),
  change: null,
  publishedBy: BY_RESULT,
});

/**
 * `RefreshOrder` (rules 18, 19): reads the order again, in any state and beside any open command. Only this command
 * reads an order that Gondola does not know.
 *
 *   queued ──▶ GET webhook-payload ──▶ GET status ──┬─ one of them knows the order ─▶ applied  read-back, with `data`
 *                                                   └─ neither does ────────────────▶ refused  ORDER_UNKNOWN,
 *                                                                       PLATFORM_REFUSED where it only said no
 *
 * Reads are stored as facts, so that events publish the changes: the payload first, so that an
 * unknown order is created with its values.
 */
export function decideRefresh(turn: Pick<CommandTurn, 'progress' | 'state' | 'values' | 'skus'>): Decision {
  const { read, payload } = turn.progress;
  if (payload === null) return { kind: 'read-payload', purpose: 'refresh' };
  if (read === null) return { kind: 'read', purpose: 'refresh' };
  if (read.status === null && payload.kind !== 'found') {
    const code = payload.kind === 'not-found' ? 'ORDER_UNKNOWN' : 'PLATFORM_REFUSED';
    return conclude('refused', 'read-back', { code });
  }
  const { conclusion } = conclude('applied', 'read-back');
  return { kind: 'conclude', conclusion: { ...conclusion, data: orderData(turn) } };
}

/** The order after the reads; items and amounts are null without a payload. */
function orderData({ state, values, skus }: Pick<CommandTurn, 'state' | 'values' | 'skus'>): JsonRecord {
  const status = state === null ? null : statusOf(state);
  return {
    status: status === null ? null : { ...orderStatus(status) },
    order: values === null ? null : withSkus(values, skus),
  };
}
