import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request that the platform got. */
export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly contractAccountId: string | undefined;
  readonly traceparent: string | undefined;
}

/** How one request is answered; `hang` never answers, `drop` ends the connection. */
export type Answer = { readonly status: number; readonly json?: unknown } | 'hang' | 'drop';

export type Script = (request: PlatformRequest) => Answer | Promise<Answer>;

/**
 * The catalogue routes of a platform whose behaviour a test writes down, request by request. Not a stand-in for the sandbox: it holds no
 * state and knows no rule.
 */
export class ScriptedPlatform {
  readonly requests: PlatformRequest[] = [];
  /** What answers each request; a test replaces it. */
  onRequest: Script = () => ({ status: 500 });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedPlatform> {
    // A connection that it closed after five idle seconds would cost a call that is made in that moment.
    const server = createServer({ keepAliveTimeout: 600_000 });
    const platform = new ScriptedPlatform(server);
    server.on('request', (request, response) => void platform.#answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const request: PlatformRequest = {
      method,
      path,
      body: await text(incoming),
      authorization: headers.authorization,
      contractAccountId: String(headers['x-contractaccountid']),
      traceparent: headers['traceparent'] === undefined ? undefined : String(headers['traceparent']),
    };
    this.requests.push(request);
    const answer = await this.onRequest(request);
    if (answer === 'hang') return;
    if (answer === 'drop') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.json === undefined ? undefined : JSON.stringify(answer.json));
  }
}
