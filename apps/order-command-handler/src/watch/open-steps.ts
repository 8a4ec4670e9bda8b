import type { FinalOutcome } from '@gondola/shared/results/outcomes';

/**
 * What own commands have begun at the platform and nothing has brought to its end yet; RFC 3339, null for nothing. It
 * outlives its commands: an invoice without its PDF is open work, whatever the result of its command said.
 */
export interface OpenSteps {
  /** A picking was sent, and no 1300 followed. */
  readonly pickingSince: string | null;
  /** An invoice is registered. */
  readonly registeredAt: string | null;
  /** Its PDF is attached. */
  readonly attachedAt: string | null;
}

export const NO_OPEN_STEPS: OpenSteps = { pickingSince: null, registeredAt: null, attachedAt: null };

/** How far a command is that picks or invoices. */
export interface StepOfCommand {
  readonly name: string;
  /** When it was first sent; null before. */
  readonly sentAt: string | null;
  /** The platform has shown its registration, or the saga went on from it. */
  readonly isRegistered: boolean;
  readonly isAttached: boolean;
  /** Null while it is open. */
  readonly outcome: FinalOutcome | null;
}

/** What is known of an order beside its commands. */
export interface SeenOfOrder {
  /** Its newest payload shows an invoice. */
  readonly showsRegistration: boolean;
  /** A 1300 is published in this step. */
  readonly isRecalculated: boolean;
  readonly nowMs: number;
}

const PICKING = 'ReportPicking';
const INVOICE = 'RegisterInvoice';

/** The open steps after what is known now; the same object where nothing changed. */
export function nextOpenSteps(known: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder): OpenSteps {
  const now = new Date(seen.nowMs).toISOString();
  const invoices = commands.filter(({ name }) => name === INVOICE);
  const isRegistered =
    seen.showsRegistration ||
    invoices.some(({ isRegistered: is, sentAt, outcome }) => is || (outcome === 'applied' && sentAt !== null));
  const next: OpenSteps = {
    pickingSince: pickingSince(known, commands, seen),
    registeredAt: known.registeredAt ?? (isRegistered ? now : null),
    attachedAt: known.attachedAt ?? (commands.some(({ isAttached }) => isAttached) ? now : null),
  };
  const names = Object.keys(next) as (keyof OpenSteps)[];
  return names.every((name) => next[name] === known[name]) ? known : next;
}

/** A picking is over with its 1300 or any outcome but `unconfirmed`. */
function pickingSince(known: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder): string | null {
  const picking = commands.find(({ name }) => name === PICKING);
  const before = seen.isRecalculated ? null : known.pickingSince;
  if (picking === undefined || picking.sentAt === null) return before;
  const isOpen = picking.outcome === null || picking.outcome === 'unconfirmed';
  return isOpen && !seen.isRecalculated ? picking.sentAt : null;
}
