import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request of `POST /v1/Webhooks`, as the platform got it. */
export interface WebhookRequest {
  readonly contractAccountId: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How one is answered; `drop` ends the connection instead. */
export type WebhookScript = (request: WebhookRequest) => { readonly status: number; readonly text?: string } | 'drop';

/** The one route of a platform whose behaviour a test writes down. Not a stand-in for the sandbox: it knows no rule. */
export class WebhookPlatform {
  readonly requests: WebhookRequest[] = [];
  onRegister: WebhookScript = () => ({ status: 200, text: '{"id":"wh-1","url":"x"}' });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<WebhookPlatform> {
    const server = createServer();
    const platform = new WebhookPlatform(server);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = JSON.parse(await text(request)) as Record<string, unknown>;
      const { authorization = '', 'x-contractaccountid': contractAccountId } = request.headers;
      const received = { contractAccountId: String(contractAccountId), authorization, body };
      platform.requests.push(received);
      const isRoute = request.method === 'POST' && request.url === '/v1/Webhooks';
      const told = isRoute ? platform.onRegister(received) : { status: 404 };
      if (told === 'drop') request.socket.destroy();
      else response.writeHead(told.status, { 'content-type': 'application/json' }).end(told.text);
    };
    server.on('request', (request, response) => void answer(request, response));
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
}
