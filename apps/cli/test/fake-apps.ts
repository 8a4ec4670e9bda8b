import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressVariable, APP_PORTS, type AppName } from '../src/operations-api/addresses.ts';
import { type Answer, answerOf, type Received } from './fake-answers.ts';

const APPS = Object.keys(APP_PORTS) as AppName[];

/** The operations APIs of all apps, as the contract defines them, in one HTTP server with a path for each. */
export class FakeApps {
  received: readonly Received[] = [];
  /** Token that every call must have; null: none. */
  token: string | null = null;
  /** Replaces the contract's answers while it is set. */
  answer: ((call: Received) => Answer | 'never' | undefined) | null = null;
  /** Number of the test that runs. */
  #test = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
    // The server never closes an idle connection, because the next call may just be arriving on it.
    this.#server.keepAliveTimeout = 0;
  }

  static async start(): Promise<FakeApps> {
    const fake = new FakeApps();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  /** Environment with the addresses of the apps. */
  get env(): Record<string, string> {
    return Object.fromEntries(APPS.map((app) => [addressVariable(app), this.urlOf(app)]));
  }

  urlOf(app: AppName): string {
    return `http://127.0.0.1:${this.port}/${app}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  reset(): void {
    this.received = [];
    this.#test += 1;
    this.token = null;
    this.answer = null;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Ignores a call whose client gives up while it is read, and does not count one in the test after its own. */
  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const test = this.#test;
    const call = await readCall(request).catch(() => null);
    if (call === null) return;
    if (test === this.#test) this.received = [...this.received, call];
    const isKnown = this.token === null || call.token === this.token;
    const answer = isKnown ? (this.answer?.(call) ?? answerOf(call)) : refusal(401, 'UNAUTHORIZED', 'Unauthorized');
    if (answer === 'never') return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  }
}

/** An error answer in the form of every app. */
export function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

async function readCall(request: IncomingMessage): Promise<Received> {
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const [, app = '', ...rest] = url.pathname.split('/');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = request.headers['content-type'] === 'application/json';
  return {
    app: app as AppName,
    method: request.method ?? '',
    path: `/${rest.map(decodeURIComponent).join('/')}`,
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? undefined : isJson ? (JSON.parse(text) as unknown) : text,
    token: request.headers.authorization?.replace(/^Bearer /, ''),
  };
}
