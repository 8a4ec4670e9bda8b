import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { HttpOptions } from './http-options.ts';
import { type AroundRequests, serveRequests } from './direct-route.ts';
import { errorBody } from './error-body.ts';
import { answerClientError, KEEP_ALIVE_MS, serverLimits } from './http-adapter.ts';
import { requestIsBelow } from './operations.guard.ts';
import type { HttpConnections } from './http-connections.ts';

/** Paths that `OPERATIONS_PORT` moves from the app's own port to its port. */
const OPERATIONAL = ['/api', '/metrics', '/health'];

/**
 * A second server of an app. It alone answers `/api`, `/metrics` and `/health`, and the app's own port alone
 * answers everything else. It has the limits of the first server.
 */
export class OperationsServer {
  readonly #server: Server;

  /** To be created before any other hook: a request on the wrong port is a 404 before any check of a token. */
  constructor(fastify: FastifyInstance, options: HttpOptions) {
    this.#server = createServer({ ...serverLimits(options), keepAliveTimeout: KEEP_ALIVE_MS });
    this.#server.on('request', (request, response) => fastify.routing(request, response));
    this.#server.on('clientError', answerClientError);
    const sockets = new WeakSet<object>();
    this.#server.on('connection', (socket) => sockets.add(socket));
    fastify.addHook('onRequest', (request, reply, done) => {
      if (requestIsBelow(request, OPERATIONAL) === sockets.has(request.raw.socket)) return done();
      return void reply.status(404).send(errorBody(404));
    });
  }

  /** Serves its requests in the same way as the app's own server. */
  serve(around: Omit<AroundRequests, 'direct'>): void {
    serveRequests(this.#server, around);
  }

  /** Null until it listens. */
  get port(): number | null {
    return (this.#server.address() as AddressInfo | null)?.port ?? null;
  }

  async listen(host: string, port: number): Promise<void> {
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
  }

  /** Accepts no new connections; resolves when the last one is closed. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }

  closeAllConnections(): void {
    this.#server.closeAllConnections();
  }
}

const CLOSE_MS = 5_000;
/** Share of the limit after which connections are destroyed; the rest is for closing. */
const CUT_OFF_SHARE = 0.8;

export interface HttpServers {
  readonly fastify: FastifyInstance;
  readonly operations: OperationsServer | null;
  readonly connections: HttpConnections;
}

/**
 * Accepts no new requests, lets open ones finish for some seconds of `limitMs`, then destroys their connections.
 */
export async function closeHttp({ fastify, operations, connections }: HttpServers, limitMs: number): Promise<void> {
  const cutOffMs = Math.min(CLOSE_MS, limitMs * CUT_OFF_SHARE);
  const timer = setTimeout(() => {
    fastify.server.closeAllConnections();
    operations?.closeAllConnections();
  }, cutOffMs);
  const closed = Promise.all([fastify.close(), operations?.close()]);
  connections.closeWhenIdle();
  await closed.finally(() => clearTimeout(timer));
}
