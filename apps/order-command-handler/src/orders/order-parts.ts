import { createHash } from 'node:crypto';
import type { OrderView as OrderValues } from '@gondola/shared/orders/order-event';
import type { OrderParts } from './published-state.ts';

/**
 * The parts of an order's values by which a change is told, each as a short hash. `updatedAt` is none of them: that the
 * platform touched an order without changing anything the ERP sees is no news, and the echo of an own command differs
 * in nothing else (rule 10).
 */
export function partsOf(order: OrderValues): OrderParts {
  const { orderNumber: _identity, updatedAt: _touched, ...parts } = order;
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shortHash(part)]));
}

function shortHash(part: unknown): string {
  return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);
}
