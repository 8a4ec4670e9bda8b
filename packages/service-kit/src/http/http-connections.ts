import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isKnownSender, noteKnownSender } from './known-senders.ts';

/** Limits of connections. Times in milliseconds. */
export interface ConnectionLimits {
  /**
   * Maximum number of requests without a complete answer. A connection that has so many is not read further; one more,
   * from bytes that were read already, is answered if its sender is known, else the connection is closed.
   */
  readonly unanswered: number;
  /**
   * Maximum number of connections on which nobody has shown valid credentials. One more closes the oldest of them that
   * waits for its client; none that waits for an answer.
   */
  readonly strangers: number;
  /**
   * Time for which a client may continue with its body after the answer, so that it reads the answer before the
   * connection is closed.
   */
  readonly lingerMs: number;
  /** Time for which a client may leave an answer unread. */
  readonly unreadMs: number;
  /** Interval at which `lingerMs` and `unreadMs` are checked. */
  readonly checkMs: number;
}

/**
 * No client that Gondola knows sends a request before the answer to the last one; other clients that do so send a
 * few.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  unanswered: 10,
  strangers: 500,
  lingerMs: 5_000,
  unreadMs: 60_000,
  checkMs: 1_000,
};

interface Connection {
  /**
   * Open requests in the order of arrival. This is an array because of a memory leak of sets: a set that is used up
   * allocates a new table to which the old one points, and an old table that is not collected yet, since it is
   * long-lived, retains all requests since.
   */
  readonly responses: ServerResponse[];
  /**
   * Requests that wait for the answers to earlier ones, with the function that begins each; their responses are in
   * both lists.
   */
  readonly waiting: { readonly response: ServerResponse; readonly begin: () => void }[];
  /** True while it is not read, because it has as many unanswered requests as allowed. */
  isFull: boolean;
  /** A request that was answered before its body had arrived. */
  lingering: { readonly request: IncomingMessage; readonly since: number } | null;
  /** Bytes that the client has not read, and the time since which it has read none. */
  unread: { readonly bytes: number; readonly since: number } | null;
}

/**
 * The connections of an app's servers and the open requests on each. Limits what one client can occupy
 * (`ConnectionLimits`), and closes idle connections when HTTP stops: Node does that only once, so a connection that
 * becomes idle later would delay the stop until it is destroyed.
 */
export class HttpConnections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #limits: ConnectionLimits;
  #isClosing = false;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.#limits = { ...CONNECTION_LIMITS, ...limits };
  }

  /** Watches the connections of a server from now on; each of its requests must pass `admit`. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, { responses: [], waiting: [], isFull: false, lingering: null, unread: null });
      this.#closeOldestStranger();
      socket.once('close', () => this.#connections.delete(socket));
      // Reading a body resumes the socket.
      socket.on('resume', () => this.#readOn(socket));
    });
    const checking = setInterval(() => this.#cutOff(performance.now()), this.#limits.checkMs).unref();
    server.once('close', () => clearInterval(checking));
  }

  /**
   * Counts a request as open until its response closes, and then calls `onClosed`. False for a request that must
   * not be answered: its connection has too many unanswered requests and is closed.
   */
  admit(
    request: IncomingMessage,
    response: ServerResponse,
    { onClosed, isKnown }: { readonly onClosed?: () => void; readonly isKnown?: () => boolean } = {},
  ): boolean {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    // Requests that the parser already holds still arrive after a connection is destroyed.
    if (connection === undefined || socket.destroyed) return false;
    const { responses } = connection;
    if (!isKnownSender(socket) && isKnown?.() === true) noteKnownSender(request);
    if (responses.length >= this.#limits.unanswered && !isKnownSender(socket)) {
      socket.destroy();
      return false;
    }
    responses.push(response);
    this.#readOn(socket);
    response.on('close', () => {
      responses.splice(responses.indexOf(response), 1);
      this.#readOn(socket);
      onClosed?.();
      if (!request.complete) connection.lingering = { request, since: performance.now() };
      if (connection.waiting.length > 0 && !socket.destroyed) beginNext(connection);
      if (this.#isClosing) closeIfIdle(socket, connection);
    });
    return true;
  }

  /**
   * Begins an admitted request once all earlier requests on its connection are answered and the client has read the
   * answers: no further answers are produced for a client that does not read them.
   */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.responses[0] === response) begin();
    else connection.waiting.push({ response, begin });
  }

  /**
   * Closes connections that are idle now, and the others when they become idle; answers from now on carry
   * `connection: close`.
   */
  closeWhenIdle(): void {
    this.#isClosing = true;
    for (const [socket, connection] of this.#connections) {
      for (const response of connection.responses) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
      closeIfIdle(socket, connection);
    }
  }

  #closeOldestStranger(): void {
    const { strangers: most } = this.#limits;
    if (this.#connections.size <= most) return;
    let strangers = 0;
    let oldest: Socket | undefined;
    for (const [socket, connection] of this.#connections) {
      if (isKnownSender(socket)) continue;
      strangers += 1;
      if (oldest === undefined && waitsForItsClient(socket, connection)) oldest = socket;
      if (strangers > most && oldest !== undefined) break;
    }
    if (strangers <= most || oldest === undefined) return;
    this.#connections.delete(oldest);
    oldest.destroy();
  }

  /** Reads the socket while it has fewer unanswered requests than allowed. */
  #readOn(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || socket.destroyed) return;
    const isFull = connection.responses.length >= this.#limits.unanswered;
    if (isFull) socket.pause();
    else if (connection.isFull) socket.resume();
    connection.isFull = isFull;
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

/** True unless a request that has arrived whole is being answered. */
function waitsForItsClient({ writableLength }: Socket, { responses }: Connection): boolean {
  const [first] = responses;
  return first === undefined || !first.req.complete || writableLength > 0;
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
