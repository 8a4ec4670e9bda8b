import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';

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
}

export const NO_OPEN_STEPS: OpenSteps = { pickingSince: null, registeredAt: null, attachedAt: null };

/** Progress of a picking or invoice command. */
export interface StepOfCommand {
  readonly name: string;
  /** Time of the first attempt; null before. */
  readonly sentAt: string | null;
  /** Time since which the platform shows the registration, or the saga has passed it; null before. */
  readonly registeredAt: string | null;
  readonly isRegistrationRefused: boolean;
  readonly isAttached: boolean;
  /** Null while it is open. */
  readonly outcome: FinalOutcome | null;
}

/** Facts of an order beside its commands. */
export interface SeenOfOrder {
  /** True if the newest payload shows an invoice. */
  readonly showsRegistration: boolean;
  /** True if the newest payload shows its PDF. */
  readonly showsPdf: boolean;
  /** True if the order was 350: that registration is somebody else's, unless a command's is known. */
  readonly isInvoiced: boolean;
  /** True if this step publishes a 1300. */
  readonly isRecalculated: boolean;
  readonly nowMs: number;
}

const PICKING = 'ReportPicking';
const INVOICE = 'RegisterInvoice';

/** The open steps after a step of the lane. */
export function nextOpenSteps(known: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder): OpenSteps {
  const now = new Date(seen.nowMs).toISOString();
  return {
    pickingSince: pickingSince(known, commands, seen),
    registeredAt: registeredAt(known, commands, seen),
    attachedAt: known.attachedAt ?? (seen.showsPdf || commands.some(({ isAttached }) => isAttached) ? now : null),
  };
}

/** Time of an open picking: its 1300 or any outcome except `unconfirmed` finishes it. */
function pickingSince(known: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder): string | null {
  const picking = commands.find(({ name }) => name === PICKING);
  const before = seen.isRecalculated ? null : known.pickingSince;
  if (picking === undefined || picking.sentAt === null) return before;
  const isOpen = picking.outcome === null || picking.outcome === 'unconfirmed';
  return isOpen && !seen.isRecalculated ? picking.sentAt : null;
}

/** Time of the registration. A refusal takes back what its own saga had passed, not an earlier registration. */
function registeredAt({ registeredAt: known }: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder) {
  const invoice = commands.find(({ name }) => name === INVOICE);
  const isTakenBack = invoice?.isRegistrationRefused === true && known === invoice.registeredAt;
  if (known !== null && !isTakenBack) return known;
  const now = new Date(seen.nowMs).toISOString();
  if (seen.showsRegistration && !seen.isInvoiced) return now;
  if (invoice === undefined || invoice.isRegistrationRefused) return null;
  return invoice.registeredAt ?? (invoice.outcome === 'applied' && invoice.sentAt !== null ? now : null);
}
