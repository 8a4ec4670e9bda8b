import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of one connection. Times in milliseconds. */
export interface ConnectionLimits {
  /** Requests without a complete answer; a connection with one more is cut off. */
  readonly unanswered: number;
  /**
   * How long an answered sender may go on with the body of its request, so that it reads the answer before it is cut
   * off.
   */
  readonly lingerMs: number;
  /** How long a client may leave an answer unread. */
  readonly unreadMs: number;
  /** From one look for what is over `lingerMs` and `unreadMs` to the next. */
  readonly checkMs: number;
}

/** No client that Gondola knows sends a request before the answer of the last one; those that do, send a few. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  unanswered: 100,
  lingerMs: 5_000,
  unreadMs: 60_000,
  checkMs: 1_000,
};

interface Connection {
  /**
   * Requests under way, in the order of arrival. In an array: a set that is used up makes itself a new table, which the
   * old one points to, and an old one that is not collected yet, because it has lived for long, holds all requests
   * since.
   */
  readonly responses: ServerResponse[];
  /** Begins of requests that wait for the answers before theirs; a response is in both lists then. */
  readonly waiting: { readonly response: ServerResponse; readonly begin: () => void }[];
  /** A request that was answered before its body had arrived. */
  lingering: { readonly request: IncomingMessage; readonly since: number } | null;
  /** Bytes that wait to be read by the client, and since when no more of them were taken. */
  unread: { readonly bytes: number; readonly since: number } | null;
}

/**
 * The connections of an app's servers, and the requests under way on each. It bounds what one client can hold
 * (`ConnectionLimits`), and it closes idle connections when HTTP stops: Node does that only once, so that one that
 * becomes idle later would hold the stop up until it is cut off.
 */
export class HttpConnections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #limits: ConnectionLimits;
  #isClosing = false;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.#limits = { ...CONNECTION_LIMITS, ...limits };
  }

  /** Watches the connections of a server from now on; each of its requests has to pass `admit`. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, { responses: [], waiting: [], lingering: null, unread: null });
      socket.once('close', () => this.#connections.delete(socket));
    });
    const checking = setInterval(() => this.#cutOff(performance.now()), this.#limits.checkMs).unref();
    server.once('close', () => clearInterval(checking));
  }

  /**
   * Counts a request as under way until its response closes, and calls `onClosed` then. False for one that is not to be
   * answered: its connection has too many without an answer, and is cut off with it.
   */
  admit(request: IncomingMessage, response: ServerResponse, onClosed?: () => void): boolean {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    // Requests that the parser already holds still arrive after a connection is cut off.
    if (connection === undefined || socket.destroyed) return false;
    const { responses } = connection;
    if (responses.length >= this.#limits.unanswered) {
      socket.destroy();
      return false;
    }
    responses.push(response);
    response.on('close', () => {
      responses.splice(responses.indexOf(response), 1);
      onClosed?.();
      if (!request.complete) connection.lingering = { request, since: performance.now() };
      if (connection.waiting.length > 0 && !socket.destroyed) beginNext(connection);
      if (this.#isClosing) closeIfIdle(socket, connection);
    });
    return true;
  }

  /**
   * Begins an admitted request when all that came before it on its connection is answered, and the answers are taken:
   * a client that reads no answers gets no further ones made.
   */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.responses[0] === response) begin();
    else connection.waiting.push({ response, begin });
  }

  /** Closes what is idle now, and the rest as it becomes so; answers from now on carry `connection: close`. */
  closeWhenIdle(): void {
    this.#isClosing = true;
    for (const [socket, connection] of this.#connections) {
      for (const response of connection.responses) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
      closeIfIdle(socket, connection);
    }
  }

  #cutOff(now: number): void {
    for (const [socket, connection] of this.#connections) {
      const { writableLength: bytes } = socket;
      if (bytes === 0) connection.unread = null;
      else if (connection.unread?.bytes !== bytes) connection.unread = { bytes, since: now };
      if (connection.lingering?.request.complete === true) connection.lingering = null;
      const isUnread = connection.unread !== null && now - connection.unread.since >= this.#limits.unreadMs;
      const isLingering = connection.lingering !== null && now - connection.lingering.since >= this.#limits.lingerMs;
      if (isUnread || isLingering) socket.destroy();
    }
  }
}

function beginNext({ responses, waiting }: Connection): void {
  const [next] = waiting;
  if (next === undefined || next.response !== responses[0]) return;
  waiting.shift();
  next.begin();
}

function closeIfIdle(socket: Socket, { responses }: Connection): void {
  if (responses.length === 0) socket.destroySoon();
}
