import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestCertificate } from './test-certificate.ts';

/** One complete request as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => unknown;

/** Answer to one request, with a body as `json` or as it is; `hang` never answers, `drop` closes the connection. */
export type Reply =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'hang'
  | 'drop';

/** A real HTTP server on a free port of 127.0.0.1, for tests that record each request and define its answer. */
export class TestServer {
  readonly #server: Server;
  readonly #protocol: string;

  private constructor(server: Server, protocol: string) {
    this.#server = server;
    this.#protocol = protocol;
  }

  /** `handle` receives each complete request; interrupted requests are ignored. With a certificate it speaks TLS. */
  static async start(handle: RequestHandler, certificate?: TestCertificate): Promise<TestServer> {
    // With the default, a call could meet a connection that is closed after five idle seconds.
    const options = { keepAliveTimeout: 600_000 };
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      void received(request).then((whole) => whole && handle(whole, response));
    };
    const server =
      certificate === undefined
        ? createServer(options, listener)
        : createSecureServer({ ...options, ...certificate.server }, listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestServer(server, certificate === undefined ? 'http' : 'https');
  }

  get url(): string {
    return `${this.#protocol}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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
  response.end(answer.json === undefined ? answer.text : JSON.stringify(answer.json));
}

async function received(request: IncomingMessage): Promise<ReceivedRequest | null> {
  const { method = '', url: path = '', headers } = request;
  const body = await buffer(request).catch(() => null);
  return body === null ? null : { method, path, headers, body };
}
