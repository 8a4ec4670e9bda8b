/**
 * What a call to the platform can end in. Business reads these; HTTP statuses stay inside this package, but for the two
 * places where the ERP is shown what the platform answered.
 */
import type { JsonValue } from '@gondola/shared/json/json-digits';

/** The trace that a call belongs to, and the signal that aborts it. */
export interface CallContext {
  /** W3C `traceparent` of the command; passed on as the header of that name. */
  readonly traceparent?: string;
  /** Takes a slot before calls that wait for one and are not urgent: a price is not held up by a load of products. */
  readonly urgent?: boolean;
  /** Gives the call up. A mutation that was under way is then `unknown`, because it may have been applied. */
  readonly signal?: AbortSignal;
}

/**
 * Nothing can have reached the platform's queue; the call may be made again after `retryAfterMs`.
 *
 * - `credentials`: 401 or 403, now or before, with the circuit breaker still open
 * - `throttled`: 429, now or before, with the circuit breaker still open
 * - `connection-refused`: no connection came about (refused, unknown host, TLS, connect time-out)
 * - `paused`: the circuit breaker is open after failures in a row, or the call was given up before it was sent; no call
 *   was made
 */
export type NotSentCause = 'credentials' | 'throttled' | 'connection-refused' | 'paused';

/** The call was sent and no usable answer came. */
export type LostCause = 'timeout' | 'dropped' | 'server-error';

export interface Unavailable<Cause extends string> {
  readonly kind: 'unavailable';
  readonly cause: Cause;
  /** Milliseconds after which a call may go through; always above 0. */
  readonly retryAfterMs: number;
}

/** The platform's no: a 4xx other than 401, 403, 408 and 429. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /**
   * The answer's body as text, shortened; the format of synchronous errors is not shown (docs/platform.md, "Errors").
   */
  readonly message: string;
}

/** Sent, and perhaps applied: the state is read before the call is made again (rule 16). */
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: LostCause;
  readonly status?: number;
  readonly message?: string;
}

/** Queued and nothing more (docs/platform.md, "Behaviour rules" 1 and 2). */
export interface Accepted {
  readonly kind: 'accepted';
  /** Null when the answer could not be read, and of routes whose answer is not shown. */
  readonly operationId: string | null;
}

/** An invoice's registration was queued (docs/platform.md, "Behaviour rules" 1). */
export interface Registered {
  readonly kind: 'accepted';
  /** To trace the processing; null when the answer could not be read. */
  readonly transactionId: string | null;
}

/** The webhook was registered (docs/platform.md, "Webhook registration"); it can be neither altered nor read again. */
export interface WebhookRegistered {
  readonly kind: 'registered';
  /** The platform's id of it; null when the answer could not be read. */
  readonly id: string | null;
}

/** 409: the tenant has a webhook already, which nobody can read (docs/platform.md, "Errors"; rule 37). */
export interface WebhookExists {
  readonly kind: 'exists';
}

/** End of a registration of the webhook. */
export type WebhookAnswer = MutationAnswer<WebhookRegistered | WebhookExists>;

/** End of a call that changes something. */
export type MutationAnswer<Success = Accepted> = Success | Refused | Unavailable<NotSentCause> | Unknown;

/** Why a read gave nothing. `unreadable`: an answer came, but it is too large or is not what the route answers. */
export type ReadUnavailableCause = NotSentCause | LostCause | 'unreadable';

/** End of a call that only reads. */
export type ReadAnswer<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'not-found' }
  | Refused
  | Unavailable<ReadUnavailableCause>;

/**
 * The file attached to an order, as far as the platform shows it: the answer of `GET /v1/Storages/invoice` is not
 * documented.
 */
export interface InvoiceFile {
  /** The answer's `content-type`. */
  readonly mediaType: string | null;
  /** The answer where it is JSON; null where it is the file itself. */
  readonly answer: JsonValue;
  /** Where the file can be fetched, as far as the answer says. */
  readonly urls: readonly string[];
}
