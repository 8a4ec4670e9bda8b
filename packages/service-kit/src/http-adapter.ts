import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { HttpOptions } from './app-options.ts';

const BODY_LIMIT_BYTES = 1_048_576;
/** Method, URL and headers together, in bytes. */
const MAX_HEADER_BYTES = 16_384;
/** A percent-encoded reference of 60 characters fits in. */
const MAX_PARAMETER_LENGTH = 500;
const HEADERS_MS = 15_000;
/** Until the whole request, body included, has arrived. */
const REQUEST_MS = 30_000;
/** Longer than the idle time-out of the usual load balancers (60 s), so that they never send into a closing connection. */
const KEEP_ALIVE_MS = 72_000;
const CLOSE_MS = 5_000;

/** Fastify with limits on everything a client can make long or slow; 408, 413, 414 and 431 are Node's and Fastify's. */
export function createHttpAdapter(options: HttpOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    trustProxy: false,
    logger: false,
  });
}

/** Takes no new requests, lets those under way finish for some seconds, then cuts them off. */
export async function closeHttp(fastify: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => fastify.server.closeAllConnections(), CLOSE_MS);
  await fastify.close().finally(() => clearTimeout(timer));
}
