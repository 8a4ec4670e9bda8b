import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpOptions } from './http-options.ts';
import { errorBody } from './error-body.ts';
import { codeOf } from '../logging/safe-error.ts';
import { SettingError } from '../config/config.ts';

const BODY_LIMIT_BYTES = 1_048_576;
/** Maximum size of method, URL and headers together, in bytes. */
const MAX_HEADER_BYTES = 16_384;
/** Long enough for a percent-encoded reference of 60 characters. */
const MAX_PARAMETER_LENGTH = 500;
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
/** Interval at which Node looks for slow requests; its default of 30 s would double the time-outs. */
const MOST_CHECKING_MS = 5_000;
/**
 * Longer than the idle time-out of common load balancers (60 s), so that they never use a connection that is being
 * closed.
 */
export const KEEP_ALIVE_MS = 72_000;

/**
 * Fastify with limits on everything that a client can make long or slow; Node and Fastify answer with 408, 413, 414
 * and 431.
 */
export function createHttpAdapter(options: HttpOptions): FastifyAdapter {
  const limits = serverLimits(options);
  return new FastifyAdapter({
    bodyLimit: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: limits,
    trustProxy: false,
    logger: false,
    // Errors of the router before any route is found, such as a malformed URL.
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      const status = error.statusCode ?? 400;
      void reply.status(status).send(errorBody(status));
    },
    clientErrorHandler: answerClientError,
  });
}

/** Node's limits for every server of the app. */
export function serverLimits(options: HttpOptions) {
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_MS;
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(HEADERS_MS, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.min(MOST_CHECKING_MS, requestTimeout / 2),
  };
}

/** Answers requests that Node refuses before they are complete: no HTTP, headers too large, or too slow. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const status = CLIENT_ERRORS.get(error.code ?? '') ?? 400;
    const body = JSON.stringify(errorBody(status));
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nConnection: close`;
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}

const CLIENT_ERRORS = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

export interface ListenSettings {
  readonly variable: 'HTTP_PORT' | 'OPERATIONS_PORT';
  readonly host: string;
  readonly port: number;
}

const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** A failure to listen, as a sentence that names the variable; any other failure stays unchanged. */
export function listenRefusal({ variable, host, port }: ListenSettings, error: unknown): unknown {
  const code = codeOf(error);
  const fault = (of: string, problem: string) =>
    new SettingError({ variable: of, problem, code: code ?? 'CANNOT_LISTEN', cause: error });
  if (code === 'EADDRINUSE') {
    return fault(
      variable,
      `a porta ${port} de ${host} já está em uso: libere-a ou defina outra / port ${port} of ${host} is in use already: free it, or set another one`,
    );
  }
  if (code === 'EACCES') {
    return fault(
      variable,
      `este usuário não pode abrir a porta ${port}: defina 1024 ou mais / this user may not open port ${port}: set 1024 or more`,
    );
  }
  if (code !== null && NO_ADDRESS.has(code)) {
    return fault(
      'HTTP_HOST',
      `"${host}" não é um endereço desta máquina: defina um dela, como 127.0.0.1 ou 0.0.0.0 / "${host}" is no address of this machine: set one of its own, such as 127.0.0.1 or 0.0.0.0`,
    );
  }
  return error;
}
