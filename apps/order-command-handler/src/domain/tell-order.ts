import { CANCELLATION_ANALYSIS, NOT_TO_BE_CREATED, PAYMENT_APPROVED } from '@gondola/shared/order-statuses';
import { type OrderFact, compareRecency } from './order-fact.ts';
import { type OrderView, statusOf } from './order-view.ts';
import { type OrderParts, type Told, changedParts, isNewRecalculation, recencyOf } from './told.ts';

/** What caused an event (contract, "Order events"). */
export type Cause =
  | { readonly kind: 'platform' | 'recovered' | 'released' }
  | { readonly kind: 'command'; readonly commandId: string };

export type OrderEventType =
  | 'OrderApproved'
  | 'PreparationStarted'
  | 'ItemsRecalculated'
  | 'OrderInvoiced'
  | 'OrderReady'
  | 'OrderShipped'
  | 'OrderDelivered'
  | 'DeliveryFailed'
  | 'OrderReturned'
  | 'CancellationStarted'
  | 'OrderCancelled'
  | 'RefundStarted'
  | 'RefundCompleted'
  | 'OrderChanged';

/** An event that is to be told, without the values and the names that `order-event` gives it. */
export interface OrderNews {
  readonly type: OrderEventType;
  readonly revision: number;
  readonly previousStatus: number | null;
  readonly status: number;
  readonly changes: readonly string[];
  /** Stop picking until the next event. */
  readonly hold: boolean;
  readonly cause: Cause;
  readonly traceparent: string | null;
}

export interface Telling {
  readonly told: Told;
  readonly news: readonly OrderNews[];
}

/** The event of each status. 300 is told by `OrderApproved`, once; a return to it, and a status without a name, by `OrderChanged`. */
const EVENT_OF_STATUS: Readonly<Record<number, OrderEventType>> = {
  350: 'OrderInvoiced',
  400: 'PreparationStarted',
  500: 'OrderReady',
  600: 'OrderShipped',
  700: 'OrderDelivered',
  750: 'CancellationStarted',
  800: 'OrderCancelled',
  900: 'DeliveryFailed',
  1000: 'OrderReturned',
  1100: 'RefundStarted',
  1200: 'RefundCompleted',
};

/**
 * What the ERP is to be told now: the difference between the view and what it was told (rule 10), as events with their revisions.
 * `parts` are the hashes of the view's values.
 *
 *                 300 in the set, status none of 750 800 1000 1100 1200
 *   not created ───────────────────────────────────────────────────────► created ──┐ another status: its event
 *       │  ▲                          OrderApproved, revision 1             ▲      │ a newer 1300: ItemsRecalculated
 *       └──┘ everything else: nothing is told, the facts stay (rule 7)      └──────┘ other values: OrderChanged
 */
export function tellOrder(view: OrderView, told: Told, parts: OrderParts): Telling {
  const status = statusOf(view);
  if (status === null || view.statusFact === null) return { told, news: [] };
  if (told.revision === 0)
    return mayBeCreated(view, status) ? approve(view, view.statusFact, parts) : { told, news: [] };
  return tellDifference(view, view.statusFact, told, parts);
}

/** Rule 7: only a 300 creates an order, and none is created while it is cancelled, returned or refunded. */
function mayBeCreated(view: OrderView, status: number): boolean {
  return view.paid && !NOT_TO_BE_CREATED.has(status);
}

function approve(view: OrderView, statusFact: OrderFact, parts: OrderParts): Telling {
  const status = statusFact.status ?? PAYMENT_APPROVED;
  const told: Told = {
    revision: 1,
    status,
    parts,
    recalculation: view.recalculation === null ? null : recencyOf(view.recalculation),
  };
  return { told, news: [newsOf('OrderApproved', told, null, ['status'], statusFact)] };
}

function tellDifference(view: OrderView, statusFact: OrderFact, before: Told, parts: OrderParts): Telling {
  let told = before;
  const news: OrderNews[] = [];
  for (const step of stepsOf(view, statusFact, before)) {
    const changes = changedParts(told, parts);
    if (step.kind === 'values' && changes.length === 0) continue;
    const previous = told.status;
    told = {
      revision: told.revision + 1,
      status: step.kind === 'status' ? step.fact.status : told.status,
      parts,
      recalculation: step.kind === 'recalculation' ? recencyOf(step.fact) : told.recalculation,
    };
    const type = typeOf(step);
    news.push(newsOf(type, told, previous, step.kind === 'status' ? ['status', ...changes] : changes, step.fact));
  }
  return { told, news };
}

interface Step {
  readonly kind: 'status' | 'recalculation' | 'values';
  readonly fact: OrderFact;
}

/** A change of status and a recalculation that become known together are told in the order in which they happened. */
function stepsOf(view: OrderView, statusFact: OrderFact, told: Told): Step[] {
  const steps: Step[] = [];
  if (statusFact.status !== told.status) steps.push({ kind: 'status', fact: statusFact });
  if (isNewRecalculation(told, view.recalculation)) steps.push({ kind: 'recalculation', fact: view.recalculation });
  steps.sort((a, b) => compareRecency(a.fact, b.fact));
  return steps.length > 0 || view.valuesFact === null ? steps : [{ kind: 'values', fact: view.valuesFact }];
}

function typeOf(step: Step): OrderEventType {
  if (step.kind === 'recalculation') return 'ItemsRecalculated';
  if (step.kind === 'values') return 'OrderChanged';
  return EVENT_OF_STATUS[step.fact.status ?? 0] ?? 'OrderChanged';
}

function newsOf(
  type: OrderEventType,
  told: Told,
  previousStatus: number | null,
  changes: readonly string[],
  fact: OrderFact,
): OrderNews {
  const status = told.status ?? PAYMENT_APPROVED;
  return {
    type,
    revision: told.revision,
    previousStatus,
    status,
    changes,
    hold: status === CANCELLATION_ANALYSIS,
    cause: { kind: fact.source === 'read' ? 'recovered' : 'platform' },
    traceparent: fact.traceparent,
  };
}
