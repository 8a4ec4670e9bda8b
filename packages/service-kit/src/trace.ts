import { randomFillSync } from 'node:crypto';
import { childTraceparent, parseTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/traceparent';
import type { FastifyInstance } from 'fastify';
import type { Logger } from './logger.ts';

/** Routes that are asked every few seconds; their requests are not worth a line. */
const QUIET_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

export interface TraceOptions {
  logger: Logger;
  /** So many random bytes. */
  random: (bytes: number) => Uint8Array;
}

/**
 * Gives every request its `traceparent` (W3C; an unreadable one is replaced, as the specification asks), and writes one
 * line per answered request: `warn` from 500, `info` from 400, else `debug`. The route's pattern is logged, never the
 * URL, which may hold a token or a name.
 */
export function traceRequests(fastify: FastifyInstance, { logger, random }: TraceOptions): void {
  fastify.decorateRequest('traceparent', '');
  fastify.decorateRequest('traceId', '');
  fastify.addHook('onRequest', (request, _reply, done) => {
    const header = request.headers['traceparent'];
    request.traceparent = childTraceparent(typeof header === 'string' ? header : null, random(TRACE_RANDOM_BYTES));
    request.traceId = parseTraceparent(request.traceparent)?.traceId ?? '';
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? null;
    const { statusCode } = reply;
    if (route === null || !QUIET_ROUTES.has(route)) {
      const durationMs = Math.round(reply.elapsedTime * 10) / 10;
      const fields = { method: request.method, route, statusCode, durationMs, traceId: request.traceId };
      if (statusCode >= 500) logger.warn(fields, 'Request answered');
      else if (statusCode >= 400) logger.info(fields, 'Request answered');
      else logger.debug(fields, 'Request answered');
    }
    done();
  });
}

const POOL_BYTES = 8_192;

/** Random bytes, drawn from the operating system many at a time: one by one they are a tenth of what a short request takes. Each is given out once. */
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
