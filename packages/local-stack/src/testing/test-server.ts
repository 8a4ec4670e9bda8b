import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One complete request as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => unknown;

/** Answer to one request; `hang` never answers, `drop` closes the connection. */
export type Reply =
  | { readonly status: number; readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'drop';

/** A real HTTP server on a free port of 127.0.0.1, for tests that record each request and define its answer. */
export class TestServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `handle` receives each complete request; interrupted requests are ignored. */
  static async start(handle: RequestHandler): Promise<TestServer> {
    // With the default, a call could meet a connection that is closed after five idle seconds.
    const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
      void received(request).then((whole) => whole && handle(whole, response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes its connections, including those with open requests. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function reply(response: ServerResponse, answer: Reply): void {
  if (answer === 'hang') return;
  if (answer === 'drop') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(answer.json === undefined ? undefined : JSON.stringify(answer.json));
}

async function received(request: IncomingMessage): Promise<ReceivedRequest | null> {
  const { method = '', url: path = '', headers } = request;
  const body = await buffer(request).catch(() => null);
  return body === null ? null : { method, path, headers, body };
}
