import type { FastifyRequest } from 'fastify';
import type { Clock } from '../runtime/clock.service.ts';
import type { Store } from '../store/store.service.ts';
import { bodyBytes } from './body.ts';

/** One call to the platform's routes, as received. */
export interface LoggedRequest {
  readonly seq: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  /** Null if the call was never answered. */
  readonly status: number | null;
  readonly contractAccountId: string | null;
  readonly operationId: string | null;
  /** Reason of an answer from 400 on. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
  /** Kinds of the faults that struck it. */
  readonly faults: readonly string[];
  readonly body: Buffer;
}

/** Facts that become known while a call is handled. */
export interface Noted {
  contractAccountId?: string;
  operationId?: string;
  refusal?: { readonly code: string; readonly message: string };
  faults?: readonly string[];
  /** The parts of a form, without the contents of files. */
  form?: Buffer;
}

const MOST_REQUESTS = 5_000;
const MOST_BYTES = 256 * 1_048_576;
/** Numbers that are reserved at once, so that not every call changes the state. */
const RESERVED = 1_000;
const PLATFORM_ROUTES = /^\/v\d+(\/|$)/;

/** True for a call to the platform, false for one to the sandbox's own routes. */
export function isPlatformRoute(url: string): boolean {
  return PLATFORM_ROUTES.test(url);
}

/**
 * The newest calls to the platform's routes, also those with wrong credentials or paths: 5,000 remain, or fewer if
 * their bodies exceed 256 MiB. It is in memory only, and begins anew at a start; its numbers rise nevertheless.
 */
export class RequestLog {
  private readonly entries = new Map<number, LoggedRequest>();
  private readonly noted = new WeakMap<FastifyRequest, Noted>();
  private bytes = 0;
  private next = 0;
  private reservedUpTo = 0;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  values(): Iterable<LoggedRequest> {
    return this.entries.values();
  }

  note(request: FastifyRequest, noted: Noted): void {
    this.noted.set(request, { ...this.noted.get(request), ...noted });
  }

  /** Adds a call before it is answered, so that a caller with an answer finds its call in the log. */
  add(request: FastifyRequest, status: number | null): void {
    if (!isPlatformRoute(request.url)) return;
    const {
      contractAccountId = null,
      operationId = null,
      refusal = null,
      faults = [],
      form,
    } = this.noted.get(request) ?? {};
    const at = request.url.indexOf('?');
    const [path, query] = at === -1 ? [request.url, null] : [request.url.slice(0, at), request.url.slice(at + 1)];
    const body = form ?? bodyBytes(request);
    const seq = this.number();
    const call = { seq, at: this.clock.now(), method: request.method, path, query, status };
    this.entries.set(seq, { ...call, contractAccountId, operationId, refusal, faults, body });
    this.bytes += body.length;
    for (const [oldest, entry] of this.entries) {
      if (this.entries.size <= MOST_REQUESTS && this.bytes <= MOST_BYTES) break;
      this.entries.delete(oldest);
      this.bytes -= entry.body.length;
    }
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }

  private number(): number {
    if (this.next === this.reservedUpTo) {
      this.next = this.store.unit(() => this.store.next('request-thousands')) * RESERVED;
      this.reservedUpTo = this.next + RESERVED;
    }
    this.next += 1;
    return this.next - 1;
  }
}
