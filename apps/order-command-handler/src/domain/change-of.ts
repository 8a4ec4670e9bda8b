import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import { pickingItems } from '@gondola/shared/orders/picking-items';
import type { Change, AttemptStep } from './change.ts';
import type { CommandContent } from './read-command.ts';

/** What is sent for a command; `step` where it has several. */
export function changeOf(content: CommandContent, step: AttemptStep | undefined): Change {
  if (content.kind === 'invalid') throw new Error('An invalid command is not sent');
  if (content.kind === 'set-status') return { kind: 'status', target: content.target };
  if (content.kind === 'cancel') return { kind: 'cancel', reason: content.reason };
  if (content.kind === 'picking') {
    const { finalOrderPrice, items } = content.picking;
    return { kind: 'picking', finalOrderPrice, items: pickingItems(items) };
  }
  const { registration } = content;
  if (step === 'register' && registration !== null) return { kind: 'register', body: registration.body };
  return { kind: 'status', target: ORDER_INVOICED };
}
