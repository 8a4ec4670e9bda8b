import { TestServer } from '@gondola/local-stack/testing/test-server';

/** A request of `POST /v1/Webhooks` as the platform received it. */
export interface WebhookRequest {
  readonly contractAccountId: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answer to a request; `drop` closes the connection instead. */
export type WebhookScript = (request: WebhookRequest) => { readonly status: number; readonly text?: string } | 'drop';

const registers: WebhookScript = () => ({ status: 200, text: '{"id":"wh-1","url":"x"}' });

/**
 * A platform with one route, whose behaviour each test sets. It knows no rules and does not replace the sandbox.
 */
export class WebhookPlatform {
  readonly requests: WebhookRequest[] = [];
  onRegister: WebhookScript = registers;
  #server!: TestServer;

  static async start(): Promise<WebhookPlatform> {
    const platform = new WebhookPlatform();
    platform.#server = await TestServer.start(({ method, path, headers, body: bytes }, response) => {
      const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
      const { authorization = '', 'x-contractaccountid': contractAccountId } = headers;
      const received = { contractAccountId: String(contractAccountId), authorization, body };
      platform.requests.push(received);
      const isRoute = method === 'POST' && path === '/v1/Webhooks';
      const told = isRoute ? platform.onRegister(received) : { status: 404 };
      if (told === 'drop') response.socket?.destroy();
      else response.writeHead(told.status, { 'content-type': 'application/json' }).end(told.text);
    });
    return platform;
  }

  /** Deletes the recorded requests and answers every registration with success. */
  reset(): void {
    this.requests.length = 0;
    this.onRegister = registers;
  }

  get url(): string {
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}
