import { decodeUtf8 } from '@gondola/shared/json/json-digits';
import type { Dispatcher } from 'undici';
import { isClientFault, PlatformClientError } from './platform-client-error.ts';

/** Limit for reading a body; answers of the routes that Gondola calls are far smaller. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Why an answer, or the rest of it, did not arrive. `given-up`: aborted by the caller's signal. */
export type Loss = 'timeout' | 'dropped' | 'given-up';

export type ReceivedBody =
  | { readonly kind: 'text'; readonly text: string }
  /** Too large, or not UTF-8. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'lost'; readonly loss: Loss };

/**
 * Progress of one HTTP call, which decides whether it can have changed something.
 *
 * - `not-sent`: no byte of the request was written
 * - `no-answer`: the request was written, at least in part, and no final status arrived
 * - `answered`: a final status arrived, but perhaps not the whole body
 */
export type Exchange =
  | { readonly phase: 'not-sent'; readonly loss: Loss }
  | { readonly phase: 'no-answer'; readonly loss: Loss }
  | {
      readonly phase: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly contentType: string | undefined;
      /** The header of that name: the platform's clock. */
      readonly date?: string | undefined;
      readonly body: ReceivedBody;
    };

export interface ExchangeLimits {
  /** Time limit of the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes one HTTP call. Never throws for failures of the network or the platform.
 *
 * undici's own `request()` does not show whether a failed call was written to the socket, but its handler interface
 * does: it calls `onRequestStart` on an open connection, right before the first byte.
 *
 * @throws PlatformClientError for a request that cannot be written, for a closed dispatcher (nothing was sent), and
 *   for a body that could not be read to its end
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  const handler = new ExchangeHandler(resolve, reject);
  const giveUp = () => handler.stop('given-up');
  const timer = setTimeout(() => handler.stop('timeout'), limits.timeoutMs);
  limits.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    if (limits.signal?.aborted === true) giveUp();
    else dispatcher.dispatch(request, handler);
    return await promise;
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', giveUp);
  }
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchange: Exchange) => void;
  readonly #reject: (error: PlatformClientError) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #stopped = false;
  #controller: Dispatcher.DispatchController | null = null;
  #head: {
    status: number;
    retryAfter: string | undefined;
    contentType: string | undefined;
    date: string | undefined;
  } | null = null;

  constructor(resolve: (exchange: Exchange) => void, reject: (error: PlatformClientError) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /**
   * Ends the exchange now. A request that still waits for its connection is dropped when the connection is
   * established.
   */
  stop(loss: Loss): void {
    this.#stopped = true;
    this.#lose(loss);
    this.#controller?.abort(new Error('The caller gave up the call'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#stopped) {
      controller.abort(new Error('The caller gave up the call before it was sent'));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const first = (name: string) => [headers[name]].flat()[0];
    this.#head = {
      status,
      retryAfter: first('retry-after'),
      contentType: first('content-type'),
      date: first('date'),
    };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MAX_RESPONSE_BYTES) {
      this.#chunks.push(chunk);
      return;
    }
    this.#answer({ kind: 'unreadable' });
    controller.abort(new Error('The answer of the platform is too large'));
  }

  onResponseEnd(): void {
    this.#answer(decode(Buffer.concat(this.#chunks)));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (error instanceof PlatformClientError) {
      this.#reject(error);
      return;
    }
    if (this.#controller === null && isClientFault(error)) {
      this.#reject(new PlatformClientError('REQUEST_NOT_POSSIBLE', error));
      return;
    }
    this.#lose(isTimeout(error) ? 'timeout' : 'dropped');
  }

  #lose(loss: Loss): void {
    if (this.#head !== null) this.#answer({ kind: 'lost', loss });
    else this.#resolve({ phase: this.#controller === null ? 'not-sent' : 'no-answer', loss });
  }

  #answer(body: ReceivedBody): void {
    // The first outcome counts: after our own abort, an error follows once the promise is settled.
    if (this.#head !== null) this.#resolve({ phase: 'answered', ...this.#head, body });
  }
}

function decode(bytes: Buffer): ReceivedBody {
  const text = decodeUtf8(bytes);
  return text === undefined ? { kind: 'unreadable' } : { kind: 'text', text };
}

function isTimeout(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /TIMEOUT|TIMEDOUT/.test(error.code);
}
