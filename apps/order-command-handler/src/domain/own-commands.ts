import {
  CANCELLATION_ANALYSIS,
  ORDER_CANCELLED,
  ORDER_INVOICED,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
import { findRecalculation } from './decide-picking.ts';
import { invoicedByCommand } from './invoice-situation.ts';
import type { HeadCommand, LaneSituation } from './lane-situation.ts';
import { type OrderFact, isStoredAfter } from './order-fact.ts';
import { isOurs } from './sent-change.ts';
import type { OwnCommands } from './tell-order.ts';

/**
 * What the order's commands have to do with its facts (rule 10): `ItemsRecalculated` and the 750 and 800 of an own
 * cancel are told with their command as cause; the 350 of an invoice that is still `open` waits for its result.
 */
export function ownCommands(situation: LaneSituation, open: readonly HeadCommand[]): OwnCommands {
  const { state, heads, unconfirmed } = situation;
  const isHeld = open.some(
    ({ content, progress }) => content.kind === 'invoice' && invoicedByCommand({ state, progress }) !== null,
  );
  return {
    heldStatus: isHeld ? ORDER_INVOICED : null,
    commandOf: (fact) =>
      heads.find((head) => isCauseOf(head, fact, situation))?.commandId ??
      unconfirmed.find(
        ({ target, operationIds }) =>
          isToldWithCause(target) && fact.operationId !== null && operationIds.includes(fact.operationId),
      )?.commandId ??
      null,
  };
}

function isToldWithCause(target: number): boolean {
  return target === VALUES_RECALCULATED || target === ORDER_CANCELLED;
}

function isCauseOf({ content, progress }: HeadCommand, fact: OrderFact, situation: LaneSituation): boolean {
  if (content.kind === 'picking') {
    const { finalOrderPrice } = content.picking;
    const { state, finalPrice } = situation;
    return fact.hash === findRecalculation({ state, progress, finalOrderPrice, finalPrice })?.hash;
  }
  if (content.kind !== 'cancel') return false;
  const isCancelling = fact.status === CANCELLATION_ANALYSIS || fact.status === ORDER_CANCELLED;
  const [first] = progress.sendings;
  return isOurs(fact, progress) || (isCancelling && first !== undefined && isStoredAfter(fact, first.seenFactId));
}
