import { createHash } from 'node:crypto';

/** Kinds that bend the answer to a call; they name calls by `route`. */
export const CALL_FAULTS = [
  'refuse',
  'error-before',
  'error-after',
  'delay',
  'drop-before',
  'drop-after',
  'outcome-first',
  'core-silent',
  'credentials-expired',
  'too-many-requests',
] as const;

/** Kinds that bend the delivery of a notification; they name notifications by `event`. */
export const WEBHOOK_FAULTS = [
  'webhook-lose',
  'webhook-double',
  'webhook-delay',
  'webhook-shuffle',
  'webhook-corrupt',
] as const;

/** Bends what calls answer by `route`, what notifications carry by `event`, and both without either. */
export const PAYLOAD_FAULT = 'extra-fields';

/** Kinds of which `ms` is a matter of their own; of all others it says for how long they strike. */
const KINDS_WITH_MS: ReadonlySet<string> = new Set(['delay', 'outcome-first', 'webhook-delay', 'webhook-shuffle']);

type CallFaultKind = (typeof CALL_FAULTS)[number];
export type WebhookFaultKind = (typeof WEBHOOK_FAULTS)[number] | typeof PAYLOAD_FAULT;

interface FaultCounts {
  /** Strikes at most so often; without it, for ever. */
  readonly times?: number | undefined;
  /** Strikes this share (0 to 1) of what it matches; without it, everything. */
  readonly share?: number | undefined;
  /**
   * Chooses which ones `share` hits, and where `webhook-shuffle` and `webhook-corrupt` do; the same seed hits the same
   * ones.
   */
  readonly seed?: number | undefined;
  /** Milliseconds of a delay, or the window of a shuffle; of any other kind, for how long it strikes. */
  readonly ms?: number | undefined;
  /** Milliseconds since 1970 from which on it does not strike any more. */
  readonly until?: number | undefined;
}

export interface CallFault extends FaultCounts {
  readonly kind: CallFaultKind;
  /** Regular expression on "METHOD path"; without it every call matches. */
  readonly route?: string | undefined;
  /** Of a refusal or an error; 401 or 403 of expired credentials. */
  readonly status?: number | undefined;
  /** Seconds, of too many requests. */
  readonly retryAfter?: number | undefined;
}

export interface WebhookFault extends FaultCounts {
  readonly kind: (typeof WEBHOOK_FAULTS)[number];
  /**
   * Regular expression on the whole event name, of an order also with its status behind; without it every event
   * matches.
   */
  readonly event?: string | undefined;
}

/** Of calls and notifications alike. */
export interface PayloadFault extends FaultCounts {
  readonly kind: typeof PAYLOAD_FAULT;
  readonly route?: string | undefined;
  readonly event?: string | undefined;
}

export type Fault = CallFault | WebhookFault | PayloadFault;

/** How often a fault matched, and how often it struck. */
export interface FaultCount {
  readonly matched: number;
  readonly struck: number;
}

/** Whether a fault is about calls at all. */
export function bendsCalls(fault: Fault): fault is CallFault | PayloadFault {
  if (fault.kind === PAYLOAD_FAULT) return fault.route !== undefined || fault.event === undefined;
  return (CALL_FAULTS as readonly string[]).includes(fault.kind);
}

/** Whether a fault is about notifications at all. */
export function bendsDeliveries(fault: Fault): fault is WebhookFault | PayloadFault {
  if (fault.kind === PAYLOAD_FAULT) return fault.event !== undefined || fault.route === undefined;
  return (WEBHOOK_FAULTS as readonly string[]).includes(fault.kind);
}

/** The fault as it is set at this time: one that lasts so long knows its end. */
export function begun<F extends Fault>(fault: F, nowMs: number): F {
  return fault.ms === undefined || KINDS_WITH_MS.has(fault.kind) ? fault : { ...fault, until: nowMs + fault.ms };
}

export function isOver({ until }: Fault, nowMs: number): boolean {
  return until !== undefined && nowMs >= until;
}

/** `path` may carry a query; a fault may be written with or without it. */
export function matchesCall(fault: CallFault | PayloadFault, method: string, path: string): boolean {
  const route = new RegExp(fault.route ?? '');
  return route.test(`${method} ${path}`) || route.test(`${method} ${path.split('?', 1)[0] ?? ''}`);
}

/** `status` is that in `data` of an order; `Order_Updated 300` names one, `Order_Updated` all of them. */
export function matchesEvent(
  fault: WebhookFault | PayloadFault,
  eventType: string,
  status: number | undefined,
): boolean {
  if (fault.event === undefined) return true;
  const event = new RegExp(`^(?:${fault.event})$`);
  return event.test(eventType) || (status !== undefined && event.test(`${eventType} ${status}`));
}

/** Whether a fault strikes at its next match. */
export function strikes(fault: Fault, { matched, struck }: FaultCount): boolean {
  if (fault.times !== undefined && struck >= fault.times) return false;
  return fault.share === undefined || fraction(fault.seed, matched, 'share') < fault.share;
}

/** Where in a window of `ms` a shuffled notification is put. */
export function shuffledDelayMs({ seed, ms = 0 }: FaultCounts, { matched }: FaultCount): number {
  return Math.floor(fraction(seed, matched, 'shuffle') * ms);
}

/** How much of a corrupted notification is left, from 0 to below 1. */
export function corruptedShare({ seed }: FaultCounts, { matched }: FaultCount): number {
  return fraction(seed, matched, 'corrupt');
}

/** A number from 0 to below 1 that depends on the arguments alone. */
function fraction(seed: number | undefined, matched: number, purpose: string): number {
  const digest = createHash('sha256')
    .update(`${seed ?? 0}:${purpose}:${matched}`)
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
