/**
 * Possible outcomes of a call to the platform. HTTP statuses stay inside this package, except in the two places
 * where the ERP is shown the platform's answer.
 */
import type { NotSentCause } from '@gondola/shared/commands/attempts';
import type { JsonValue } from '@gondola/shared/json/json-digits';

/** The command that asked for a change, when it came (ms since 1970), and the entity that it is about. */
export interface AskedBy {
  readonly commandId: string;
  readonly cameAt: number;
  readonly entity: string;
}

/** The trace of a call, its priority, and the signal that aborts it. */
export interface CallContext {
  /**
   * Who asked for a change; of a batch one for each record in its order. A tenant in shadow leaves it out by the time
   * at which the command came, and stores it.
   */
  readonly askedBy?: readonly AskedBy[];
  /** W3C `traceparent` of the command; sent as the header of that name. */
  readonly traceparent?: string;
  /** W3C `traceparent` of each further command of the call, for the links of its span. */
  readonly links?: readonly string[];
  /**
   * The only record of a batch call, in any form that is the same for the same record: its failures count once for the
   * circuit breaker of the route. Without it, the call has several records and its failures are nobody's.
   */
  readonly about?: string;
  /** Takes a slot before waiting calls that are not urgent, so that a load of products does not delay a price. */
  readonly urgent?: boolean;
  /** Aborts the call. A mutation that was already sent is then `unknown`, because it may have been applied. */
  readonly signal?: AbortSignal;
}

/**
 * The call was sent, and no usable answer arrived. `unreadable`: a success that is not the answer which the document
 * gives the route, such as a maintenance page.
 */
export type LostCause = 'timeout' | 'dropped' | 'server-error' | 'unreadable';

export interface Unavailable<Cause extends string = string> {
  readonly kind: 'unavailable';
  readonly cause: Cause;
  /** Milliseconds until a call may be let through; always above 0. */
  readonly retryAfterMs: number;
}

/** A refusal by the platform: a 4xx other than 401, 403, 408 and 429. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /**
   * Body of the answer as text, shortened; the format of synchronous errors is not shown (docs/platform.md,
   * "Errors").
   */
  readonly message: string;
}

/** Sent, and possibly applied: the state must be read before the call is made again (rule 16). */
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: LostCause;
  readonly status?: number;
  readonly message?: string;
}

/** Queued, but not yet applied (docs/platform.md, "Behaviour rules" 1 and 2). */
export interface Accepted {
  readonly kind: 'accepted';
  /** Identifies the processing; null only for routes whose answer is not shown. */
  readonly operationId: string | null;
}

/** The webhook was registered (docs/platform.md, "Webhook registration"); no route can change or read it. */
export interface WebhookRegistered {
  readonly kind: 'registered';
  /** The platform's id of the webhook. */
  readonly id: string;
}

/** 409: the tenant already has a webhook, which no route can read (docs/platform.md, "Errors"; rule 37). */
export interface WebhookExists {
  readonly kind: 'exists';
}

/** Outcome of registering the webhook. */
export type WebhookAnswer = MutationAnswer<WebhookRegistered | WebhookExists>;

/** Outcome of a call that changes something. */
export type MutationAnswer<Success = Accepted> = Success | Refused | Unavailable<NotSentCause> | Unknown;

/** Why a read returned no value; a successful answer that is too large is `unreadable`, too. */
export type ReadUnavailableCause = NotSentCause | LostCause;

/** Outcome of a call that only reads. */
export type ReadAnswer<T> =
  | {
      readonly kind: 'found';
      readonly value: T;
      /** Platform's clock when it answered, in milliseconds since 1970, whole seconds; absent if it did not say. */
      readonly platformMs?: number;
    }
  | { readonly kind: 'not-found' }
  | Refused
  | Unavailable<ReadUnavailableCause>;

/**
 * The file attached to an order, as far as it can be known: the answer of `GET /v1/Storages/invoice` is not
 * documented.
 */
export interface InvoiceFile {
  /** `content-type` of the answer. */
  readonly mediaType: string | null;
  /** The answer if it is JSON; null if it is the file itself. */
  readonly answer: JsonValue;
  /** URLs of the file, as far as the answer contains any. */
  readonly urls: readonly string[];
}
