import { type ReceivedRequest, reply, TestServer } from '@gondola/local-stack/testing/test-server';
import type { ServerResponse } from 'node:http';

/** A network between the command line and the app that fails when a test says so, and stays away until it is mended. */
export class CutLine {
  readonly #target: () => string;
  #server!: TestServer;
  /** Calls that still pass, and are answered. */
  #passing = Number.POSITIVE_INFINITY;
  #losesAnswer = false;
  /** Loads that the app was asked to begin, and answered. */
  begun = 0;

  private constructor(target: () => string) {
    this.#target = target;
  }

  static async start(target: () => string): Promise<CutLine> {
    const line = new CutLine(target);
    line.#server = await TestServer.start((request, response) => line.#pass(request, response));
    return line;
  }

  get url(): string {
    return this.#server.url;
  }

  /** Fails after so many calls; the one that follows them reaches the app if only its answer is lost. */
  cutAfter(calls: number, lost: 'call' | 'answer'): void {
    this.#passing = calls;
    this.#losesAnswer = lost === 'answer';
  }

  mend(): void {
    this.#passing = Number.POSITIVE_INFINITY;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async #pass({ method, path, headers, body }: ReceivedRequest, response: ServerResponse): Promise<void> {
    const isCut = this.#passing <= 0;
    this.#passing -= 1;
    if (isCut && !this.#losesAnswer) return reply(response, 'drop');
    this.#losesAnswer &&= !isCut;
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const init = { method, headers: { authorization, 'content-type': type } };
    const answer = await fetch(`${this.#target()}${path}`, method === 'GET' ? init : { ...init, body: String(body) });
    const text = await answer.text();
    if (method === 'POST' && path.endsWith('/api/loads')) this.begun += 1;
    reply(response, isCut ? 'drop' : { status: answer.status, text });
  }
}
