import type { SentInvoice } from './which-invoice.ts';
import type { AttentionCode } from '@gondola/shared/orders/order-event.dto';
import { type FoldedFacts, NOTHING_FOLDED } from '../facts/standing-facts.ts';
import { NOTHING_PUBLISHED, type PublishedState } from './published-state.ts';

/** A command concluded as `unconfirmed`, stored until a late event of the platform corrects it. */
export interface UnconfirmedCommand {
  readonly commandId: string;
  readonly command: string;
  /** `id` of its result. */
  readonly resultId: string;
  /** Status that the command sets, 1300 for a picking. */
  readonly target: number;
  readonly operationIds: readonly string[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
}

/** A status that a read showed, and that the order had left before: a second read is to confirm it (rule 9). */
export interface DoubtedStatus {
  readonly status: number;
  /** Time of the first read that showed it, RFC 3339. */
  readonly since: string;
}

/** Reads of an order whose notification may be lost. */
export interface OrderWatch {
  /** `status` for a cancellation, `payload` for a missing 300; absent in what an earlier version stored: `status`. */
  readonly reads?: 'status' | 'payload';
  /** Overdue attention that one read is to confirm; absent otherwise. */
  readonly confirms?: AttentionCode;
  /** Absent where no read is in doubt. */
  readonly doubted?: DoubtedStatus;
  /** Hash of the fact that started the watch, or begin of the overdue state; another value starts a new watch. */
  readonly factHash: string;
  /** Start of the watch, RFC 3339; absent in rows of an earlier version. */
  readonly since?: string;
  /** Time of the last read, or of the start, RFC 3339. */
  readonly at: string;
  /** Reads without a new status. */
  readonly count: number;
}

/**
 * Unfinished steps that commands have started at the platform; times in RFC 3339, null for none. They outlive their
 * commands: an invoice without its PDF is open work, whatever the outcome of its command.
 */
export interface OpenSteps {
  /** Time of a picking without its 1300. */
  readonly pickingSince: string | null;
  /** Time of the registration of the invoice. */
  readonly registeredAt: string | null;
  /** Time of the upload of its PDF. */
  readonly attachedAt: string | null;
  /** Invoices that concluded commands have sent, the last one last; absent for none. */
  readonly invoices?: readonly SentInvoice[];
}

export const NO_OPEN_STEPS: OpenSteps = { pickingSince: null, registeredAt: null, attachedAt: null };

export interface OrderRow {
  readonly laneId: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string | null;
  readonly status: number | null;
  readonly published: PublishedState;
  /** `unconfirmed` commands, which a late outcome would correct. */
  readonly unconfirmed: readonly UnconfirmedCommand[];
  /** Reads of an order whose notification may be lost; null for none. */
  readonly watch: OrderWatch | null;
  readonly openSteps: OpenSteps;
  readonly folded: FoldedFacts;
  /** True if a reading is in doubt: recovery reads the order once more. */
  readonly isDoubted: boolean;
  /** Operations of concluded commands, oldest first: their late failures say nothing about an open one. */
  readonly pastOperationIds: readonly string[];
  /** Time since which `status` is known, by the database's clock, set by the statement; null before the first save. */
  readonly statusSince: Date | null;
}

/** The row of an order before its first save; a lane without an order has it, and never saves it. */
export function newRow(lane: { readonly id: string; readonly tenant: string; readonly identity: string }): OrderRow {
  return {
    laneId: lane.id,
    tenant: lane.tenant,
    orderNumber: lane.identity,
    orderId: null,
    status: null,
    published: NOTHING_PUBLISHED,
    unconfirmed: [],
    watch: null,
    openSteps: NO_OPEN_STEPS,
    folded: NOTHING_FOLDED,
    pastOperationIds: [],
    isDoubted: false,
    statusSince: null,
  };
}
