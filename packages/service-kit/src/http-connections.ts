import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const CLOSE_MS = 5_000;
/** What is cut off leaves time for the closing itself. */
const CUT_OFF_SHARE = 0.8;

/**
 * Which connections have requests under way. Node closes idle ones only once, when closing begins: one that is kept alive
 * after its last answer, or that never asked anything, would hold a stop up until it is cut off.
 */
export class HttpConnections {
  readonly #underWay = new Map<Socket, Set<ServerResponse>>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#underWay.set(socket, new Set());
      socket.once('close', () => this.#underWay.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#underWay.get(socket)?.add(response);
      response.on('close', () => {
        this.#underWay.get(socket)?.delete(response);
        if (this.#isClosing) this.#closeIfIdle(socket);
      });
    });
  }

  /** Closes what is idle now, and the rest as it becomes so; who is answered from now on is told not to come back. */
  closeWhenIdle(): void {
    this.#isClosing = true;
    for (const [socket, responses] of this.#underWay) {
      for (const response of responses) if (!response.headersSent) response.setHeader('connection', 'close');
      this.#closeIfIdle(socket);
    }
  }

  #closeIfIdle(socket: Socket): void {
    if (this.#underWay.get(socket)?.size === 0) socket.destroySoon();
  }
}

/** Takes no new requests, lets those under way finish for some seconds of `limitMs`, then cuts them off. */
export async function closeHttp(
  fastify: FastifyInstance,
  connections: HttpConnections,
  limitMs: number,
): Promise<void> {
  const cutOffMs = Math.min(CLOSE_MS, limitMs * CUT_OFF_SHARE);
  const timer = setTimeout(() => fastify.server.closeAllConnections(), cutOffMs);
  const closed = fastify.close();
  connections.closeWhenIdle();
  await closed.finally(() => clearTimeout(timer));
}
