import { randomFillSync } from 'node:crypto';
import { childTraceparent, parseTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../logging/logger.ts';

/** Routes that are requested every few seconds; their requests are not logged. */
const QUIET_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

export interface TraceOptions {
  logger: Logger;
  /** Returns `bytes` random bytes. */
  random: (bytes: number) => Uint8Array;
}

interface AnsweredRequest {
  readonly method: string;
  /** Pattern of the route, never the URL, which may contain a token or a name; null if no route matches. */
  readonly route: string | null;
  readonly statusCode: number;
  readonly durationMs: number;
  readonly traceparent: string;
}

/** Traces and logs requests, whether Fastify or the direct route serves them. */
export class RequestTrace {
  readonly #options: TraceOptions;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  /**
   * `traceparent` (W3C) of the request's own span, derived from the received header; an unreadable header is
   * replaced, as the specification requires.
   */
  childOf(header: string | string[] | undefined): string {
    return childTraceparent(typeof header === 'string' ? header : null, this.#options.random(TRACE_RANDOM_BYTES));
  }

  /** Logs one line per answered request: `warn` from 500, `info` from 400, else `debug`. */
  logAnswered({ method, route, statusCode, durationMs: exactMs, traceparent }: AnsweredRequest): void {
    const { logger } = this.#options;
    const level = statusCode >= 500 ? 'warn' : statusCode >= 400 ? 'info' : 'debug';
    if ((route !== null && QUIET_ROUTES.has(route)) || !logger.isLevelEnabled(level)) return;
    const durationMs = Math.round(exactMs * 10) / 10;
    logger[level]({ method, route, statusCode, durationMs, traceId: traceIdOf(traceparent) }, 'Request answered');
  }
}

/** Sets `traceparent` on every request of Fastify, and logs its answer. */
export function traceRequests(fastify: FastifyInstance, trace: RequestTrace): void {
  fastify.decorateRequest('traceparent', '');
  fastify.decorateRequest('traceId', '');
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.traceparent = trace.childOf(request.headers['traceparent']);
    request.traceId = traceIdOf(request.traceparent);
    done();
  });
  fastify.addHook('onResponse', ({ method, routeOptions, traceparent }, { statusCode, elapsedTime }, done) => {
    trace.logAnswered({ method, route: routeOptions.url ?? null, statusCode, durationMs: elapsedTime, traceparent });
    done();
  });
}

function traceIdOf(traceparent: string): string {
  return parseTraceparent(traceparent)?.traceId ?? '';
}

const POOL_BYTES = 8_192;

/**
 * Random bytes, drawn from the operating system in large blocks: drawing them for each request would take a tenth
 * of a short request's time. No byte is returned twice.
 */
export function pooledRandomBytes(): (bytes: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    if (used + bytes > pool.byteLength) {
      pool = randomFillSync(new Uint8Array(Math.max(POOL_BYTES, bytes)));
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
