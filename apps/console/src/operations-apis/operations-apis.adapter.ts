import type { Readable } from 'node:stream';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { type AnswerHold, NoRoomError } from './answer-room.ts';
import type { AppName } from './app-name.ts';

export interface ApiCall {
  readonly method: Dispatcher.HttpMethod;
  /** Path with its query, percent-encoded. */
  readonly path: string;
  /** Unchanged; undefined: no body. */
  readonly body?: Buffer | Readable | undefined;
  /** Content type of the body; JSON by default. */
  readonly contentType?: string | null;
  readonly contentLength?: string | null;
  /** Name of the operator for whom the console calls; undefined: nobody, such as for `/health/ready`. */
  readonly operator?: string | undefined;
  readonly traceparent?: string | undefined;
  /** Time limit in place of `APP_TIMEOUT_MS`, in milliseconds. */
  readonly limitMs?: number;
  /** Counts the bytes of the answer. */
  readonly hold?: AnswerHold;
}

/** Answer of an app, at most `APP_ANSWER_MAX_BYTES` long. */
export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  readonly body: Buffer;
}

/** Settings of calls. */
export interface ApisConfig {
  readonly http: { readonly operationsToken: string | null };
  /** Base URL of each app, without a trailing slash. */
  readonly apps: Readonly<Record<AppName, string>>;
  readonly calls: { readonly timeoutMs: number; readonly answerMaxBytes: number };
}

/** An app gave no usable answer: none in time, none at all, a redirect, or one that is too large. */
export class AppAwayError extends Error {
  readonly app: AppName;

  constructor(app: AppName, reason: string, cause?: unknown) {
    super(`${app} ${reason}`, { cause });
    this.name = 'AppAwayError';
    this.app = app;
  }
}

const CONNECT_MS = 3_000;
const CONNECTIONS_PER_APP = 32;

/**
 * Calls the operations APIs with the token of the console. Sends only the headers below, whatever a browser sent, and
 * returns only what `ApiAnswer` names.
 */
@Injectable()
export class OperationsApis implements OnModuleDestroy {
  private readonly agent = new Agent({ connect: { timeout: CONNECT_MS }, connections: CONNECTIONS_PER_APP });

  constructor(@Inject(CONFIG) private readonly config: ApisConfig) {}

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  /** Throws `AppAwayError`, or `NoRoomError`. */
  async call(app: AppName, call: ApiCall): Promise<ApiAnswer> {
    const { timeoutMs } = this.config.calls;
    const signal = AbortSignal.timeout(call.limitMs ?? timeoutMs);
    try {
      // Redirects are not followed: the token belongs to the configured address.
      const answer = await request(`${this.config.apps[app]}${call.path}`, {
        dispatcher: this.agent,
        method: call.method,
        headers: this.#headersOf(call),
        body: call.body ?? null,
        signal,
      });
      const status = answer.statusCode;
      if (status < 200 || (status >= 300 && status < 400)) {
        // Its error says that it was broken off here.
        answer.body.on('error', () => {}).destroy();
        throw new AppAwayError(app, `answered ${status}`);
      }
      return {
        status,
        contentType: headerOf(answer, 'content-type'),
        retryAfter: headerOf(answer, 'retry-after'),
        body: await this.#bodyOf(app, answer, call.hold),
      };
    } catch (error) {
      const isKnown = error instanceof AppAwayError || error instanceof NoRoomError;
      throw isKnown ? error : new AppAwayError(app, 'did not answer', error);
    }
  }

  #headersOf({ body, contentType, contentLength, operator, traceparent }: ApiCall): Record<string, string> {
    const { operationsToken } = this.config.http;
    return {
      accept: 'application/json',
      ...(operationsToken !== null && { authorization: `Bearer ${operationsToken}` }),
      ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
      ...(body !== undefined && typeof contentLength === 'string' && { 'content-length': contentLength }),
      ...(operator !== undefined && { 'x-gondola-operator': encodeURIComponent(operator) }),
      ...(traceparent !== undefined && { traceparent }),
    };
  }

  async #bodyOf(app: AppName, { body }: Dispatcher.ResponseData, hold?: AnswerHold): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      const piece = chunk as Buffer;
      bytes += piece.length;
      if (bytes > this.config.calls.answerMaxBytes) throw new AppAwayError(app, 'gave an answer that is too large');
      hold?.grow(piece.length);
      chunks.push(piece);
    }
    return Buffer.concat(chunks);
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
