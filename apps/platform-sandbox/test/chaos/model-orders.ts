import { lineCents, type Line, type PlannedOrder } from './planned-orders.ts';

/** An order as the result of the accepted operations, by the test's own reading of the document. */
export interface ModelOrder {
  readonly history: readonly number[];
  readonly lines: readonly Line[];
  /** As reported after picking; null before. */
  readonly finalPriceCents: number | null;
  readonly invoice: string | null;
  readonly files: number;
}

/** The core's result of one operation: the order, its notifications, and the platform's own next change. */
export interface OrderOutcome {
  readonly order: ModelOrder;
  readonly notifies: { readonly eventType: string; readonly status: number } | null;
  readonly move: { readonly from: number; readonly to: number } | null;
}

const CANCELLABLE = [100, 300, 400, 350, 500];
/** Statuses that a PATCH sets from any status. */
const FROM_ANY = [500, 600, 700, 900, 1000];
const NOT_PAID_OR_OVER = [100, 250, 750, 800, 1000, 1100, 1200];
/** Next status that the platform sets by itself, with the switch `refundsByItself` on. */
const FOLLOWS: Readonly<Record<number, number>> = { 750: 800, 800: 1100, 1000: 1100, 1100: 1200 };

export function placed({ lines, payment }: PlannedOrder): ModelOrder {
  const paid = { approved: [300], refused: [250], pending: [] }[payment];
  return { history: [100, ...paid], lines, finalPriceCents: null, invoice: null, files: 0 };
}

export function statusOf({ history }: ModelOrder): number {
  return history.at(-1) ?? 0;
}

export function totalCents({ lines, finalPriceCents }: ModelOrder): number {
  return finalPriceCents ?? lines.reduce((sum, line) => sum + lineCents(line), 0);
}

export type OrderOperation =
  | { readonly kind: 'order-status'; readonly status: number }
  | { readonly kind: 'order-cancellation' }
  | { readonly kind: 'order-picking'; readonly lines: readonly Line[]; readonly finalPriceCents: number }
  | { readonly kind: 'invoice-registration'; readonly number: string }
  | { readonly kind: 'invoice-file' }
  | { readonly kind: 'order-move'; readonly from: number; readonly to: number };

const FAILURES: Readonly<Record<string, string>> = {
  'order-status': 'Order_StatusUpdateFailed',
  'order-cancellation': 'Order_CancelFailed',
};

export function takeOperation(order: ModelOrder, operation: OrderOperation, refused: boolean): OrderOutcome {
  const status = statusOf(order);
  if (operation.kind === 'order-move') {
    return status === operation.from ? moved(order, operation.to) : { order, notifies: null, move: null };
  }
  if (refused || !isOpen(operation, status)) {
    return { order, notifies: { eventType: FAILURES[operation.kind] ?? 'Operation_Failed', status }, move: null };
  }
  switch (operation.kind) {
    case 'order-status':
      return moved(order, operation.status);
    case 'order-cancellation':
      return moved(order, 750);
    case 'order-picking': {
      const { lines, finalPriceCents } = operation;
      return {
        order: { ...order, lines, finalPriceCents },
        notifies: { eventType: 'Order_Updated', status: 1300 },
        move: null,
      };
    }
    case 'invoice-registration':
      if (order.invoice !== null) return { order, notifies: null, move: null };
      return invoiced({ ...order, invoice: operation.number });
    default:
      return invoiced({ ...order, files: order.files + 1 });
  }
}

/** The platform's change back from a new status of a paid order to the one before it; null if it makes none. */
export function wayBackOf(before: ModelOrder, after: ModelOrder): OrderOutcome['move'] {
  const [from, to] = [statusOf(after), statusOf(before)];
  const isPossible = from !== to && ![from, to].some((status) => NOT_PAID_OR_OVER.includes(status));
  return isPossible ? { from, to } : null;
}

function isOpen(operation: OrderOperation, status: number): boolean {
  if (operation.kind === 'order-cancellation') return CANCELLABLE.includes(status);
  if (operation.kind === 'order-picking') return true;
  if (operation.kind === 'order-status' && FROM_ANY.includes(operation.status)) return true;
  return !NOT_PAID_OR_OVER.includes(status);
}

function invoiced(order: ModelOrder): OrderOutcome {
  const isComplete = order.invoice !== null && order.files > 0 && [300, 400].includes(statusOf(order));
  return isComplete ? moved(order, 350) : { order, notifies: null, move: null };
}

function moved(order: ModelOrder, to: number): OrderOutcome {
  const next = FOLLOWS[to];
  return {
    order: { ...order, history: [...order.history, to] },
    notifies: { eventType: 'Order_Updated', status: to },
    move: next === undefined ? null : { from: to, to: next },
  };
}
