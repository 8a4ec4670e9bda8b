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
] as const;

/** Kinds that bend the delivery of a notification; they name notifications by `event`. */
export const WEBHOOK_FAULTS = ['webhook-lose', 'webhook-double', 'webhook-delay', 'webhook-shuffle'] as const;

type CallFaultKind = (typeof CALL_FAULTS)[number];
export type WebhookFaultKind = (typeof WEBHOOK_FAULTS)[number];

interface FaultCounts {
  /** Strikes at most so often; without it, for ever. */
  readonly times?: number | undefined;
  /** Strikes this share (0 to 1) of what it matches; without it, everything. */
  readonly share?: number | undefined;
  /** Chooses which ones `share` and `webhook-shuffle` hit; the same seed hits the same ones. */
  readonly seed?: number | undefined;
  /** Milliseconds of a delay, or the window of a shuffle. */
  readonly ms?: number | undefined;
}

export interface CallFault extends FaultCounts {
  readonly kind: CallFaultKind;
  /** Regular expression on "METHOD path"; without it every call matches. */
  readonly route?: string | undefined;
  /** Of a refusal or an error. */
  readonly status?: number | undefined;
}

export interface WebhookFault extends FaultCounts {
  readonly kind: WebhookFaultKind;
  /** Regular expression on the whole event name, of an order also with its status behind; without it every event matches. */
  readonly event?: string | undefined;
}

export type Fault = CallFault | WebhookFault;

/** How often a fault matched, and how often it struck. */
export interface FaultCount {
  readonly matched: number;
  readonly struck: number;
}

export function isCallFault(fault: Fault): fault is CallFault {
  const kinds: readonly string[] = CALL_FAULTS;
  return kinds.includes(fault.kind);
}

/** `path` may carry a query; a fault may be written with or without it. */
export function matchesCall(fault: CallFault, method: string, path: string): boolean {
  const route = new RegExp(fault.route ?? '');
  return route.test(`${method} ${path}`) || route.test(`${method} ${path.split('?', 1)[0] ?? ''}`);
}

/** `status` is that in `data` of an order; `Order_Updated 300` names one, `Order_Updated` all of them. */
export function matchesEvent(fault: WebhookFault, eventType: string, status: number | undefined): boolean {
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
export function shuffledDelayMs({ seed, ms = 0 }: WebhookFault, { matched }: FaultCount): number {
  return Math.floor(fraction(seed, matched, 'shuffle') * ms);
}

/** A number from 0 to below 1 that depends on the arguments alone. */
function fraction(seed: number | undefined, matched: number, purpose: string): number {
  const digest = createHash('sha256')
    .update(`${seed ?? 0}:${purpose}:${matched}`)
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
