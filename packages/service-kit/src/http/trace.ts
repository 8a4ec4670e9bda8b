import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { childTraceparent, parseTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logger.ts';
import { type OpenSpan, tracing } from '../tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The request's own span, to be passed on in records and calls: a child of the caller's span, or the root of a
     * new trace.
     */
    traceparent: string;
    traceId: string;
  }
}

/** Routes that are requested every few seconds; their requests are neither logged nor traced. */
const QUIET_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

export interface TraceOptions {
  logger: Logger;
  /** Returns `bytes` random bytes. */
  random: (bytes: number) => Uint8Array;
}

interface ArrivedRequest {
  readonly method: string;
  /** Pattern of the route, never the URL, which may contain a token or a name; null if no route matches. */
  readonly route: string | null;
  /** The received `traceparent`. */
  readonly header: string | string[] | undefined;
  /** True if it shows valid credentials; asked only of a request with a `traceparent`. */
  readonly isKnown: () => boolean;
}

/** The request's own span; null if it is not recorded. */
interface RequestSpan {
  readonly traceparent: string;
  readonly span: OpenSpan | null;
}

interface AnsweredRequest extends RequestSpan, Pick<ArrivedRequest, 'method' | 'route'> {
  readonly statusCode: number;
  readonly durationMs: number;
}

/** Traces and logs requests, whether Fastify or the direct route serves them. */
export class RequestTrace {
  readonly #options: TraceOptions;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  /**
   * Begins the request's own span (W3C), derived from the received header; an unreadable header is replaced, as the
   * specification requires. A stranger's trace is only linked to, so that the sampler decides, and not he.
   */
  begin({ method, route, header, isKnown }: ArrivedRequest): RequestSpan {
    const received = typeof header === 'string' ? header : null;
    const parent = received !== null && isKnown() ? received : null;
    const links = received === null || parent !== null ? [] : [received];
    const isTraced = tracing.isOn && route !== null && !QUIET_ROUTES.has(route);
    const span = isTraced ? spanOf({ method, route }, parent, links) : null;
    return {
      span,
      traceparent: span?.traceparent ?? childTraceparent(parent, this.#options.random(TRACE_RANDOM_BYTES)),
    };
  }

  /** Ends the span and logs one line per answered request: `warn` from 500, `info` from 400, else `debug`. */
  answered({ method, route, statusCode, durationMs: exactMs, traceparent, span }: AnsweredRequest): void {
    const { logger } = this.#options;
    span?.end({
      attributes: { 'http.response.status_code': statusCode },
      ...(statusCode >= 500 && { error: String(statusCode) }),
    });
    const level = statusCode >= 500 ? 'warn' : statusCode >= 400 ? 'info' : 'debug';
    if ((route !== null && QUIET_ROUTES.has(route)) || !logger.isLevelEnabled(level)) return;
    const durationMs = Math.round(exactMs * 10) / 10;
    logger[level]({ method, route, statusCode, durationMs, traceId: traceIdOf(traceparent) }, 'Request answered');
  }
}

/**
 * Sets `traceparent` on every request of Fastify, and logs its answer.
 *
 * @param isKnown true for headers with valid credentials
 */
export function traceRequests(
  fastify: FastifyInstance,
  trace: RequestTrace,
  isKnown: (headers: IncomingHttpHeaders) => boolean,
): void {
  fastify.decorateRequest('traceparent', '');
  fastify.decorateRequest('traceId', '');
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? null;
    const begun = trace.begin({ method, route, header: headers['traceparent'], isKnown: () => isKnown(headers) });
    if (begun.span !== null) spans.set(request, begun.span);
    request.traceparent = begun.traceparent;
    request.traceId = traceIdOf(request.traceparent);
    done();
  });
  fastify.addHook('onResponse', (request, { statusCode, elapsedTime: durationMs }, done) => {
    const { method, routeOptions, traceparent } = request;
    const span = spans.get(request) ?? null;
    trace.answered({ method, route: routeOptions.url ?? null, statusCode, durationMs, traceparent, span });
    done();
  });
}

function spanOf(
  { method, route }: { readonly method: string; readonly route: string },
  parent: string | null,
  links: readonly string[],
): OpenSpan | null {
  const attributes = { 'http.request.method': method, 'http.route': route };
  return tracing.start({ name: `${method} ${route}`, kind: 'server', parent, links, attributes });
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
