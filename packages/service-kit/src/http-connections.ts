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
  /**
   * In arrays. A set that is used up makes itself a new table, which the old one points to: an old one that is not collected yet, because it
   * has lived for long, keeps all requests since.
   */
  readonly #underWay = new Map<Socket, ServerResponse[]>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#underWay.set(socket, []);
      socket.once('close', () => this.#underWay.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.watch(request, response));
  }

  /**
   * Counts a request as under way until its response closes, and calls `onClosed` then. For one that is kept from the server's other
   * listeners; of all others it hears itself.
   */
  watch({ socket }: IncomingMessage, response: ServerResponse, onClosed?: () => void): void {
    const responses = this.#underWay.get(socket) ?? [];
    responses.push(response);
    response.on('close', () => {
      responses.splice(responses.indexOf(response), 1);
      onClosed?.();
      if (this.#isClosing) this.#closeIfIdle(socket);
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
    if (this.#underWay.get(socket)?.length === 0) socket.destroySoon();
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
