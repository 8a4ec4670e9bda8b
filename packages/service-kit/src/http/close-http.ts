import type { FastifyInstance } from 'fastify';
import type { HttpConnections } from './http-connections.ts';
import type { OperationsServer } from './operations-server.ts';

const CLOSE_MS = 5_000;
/** What is cut off leaves time for the closing itself. */
const CUT_OFF_SHARE = 0.8;

/** What HTTP consists of. */
export interface HttpServers {
  readonly fastify: FastifyInstance;
  readonly operations: OperationsServer | null;
  readonly connections: HttpConnections;
}

/** Takes no new requests, lets those under way finish for some seconds of `limitMs`, then cuts them off. */
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
