import { VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import { isStoredAfter, type OrderFact } from './order-fact.ts';
import type { OrderState } from './order-state.ts';

/**
 * True if a notification that was received after the newest reading differs from it and counts as older. Its date may
 * be right: it was delayed. Or a clock was wrong and the reading hides a later change, so that one more read decides.
 */
export function isReadingDoubted({ facts, statusFact, payloadFact }: OrderState): boolean {
  return facts.some(
    (fact) =>
      fact.source === 'notification' &&
      !fact.failure &&
      fact.status !== null &&
      (contradicts(fact, statusFact) || (payloadFact !== null && isStoredAfter(fact, payloadFact.id))),
  );
}

function contradicts(fact: OrderFact, read: OrderFact | null): boolean {
  if (read?.source !== 'read' || fact.status === VALUES_RECALCULATED) return false;
  return fact.status !== read.status && isStoredAfter(fact, read.id);
}
