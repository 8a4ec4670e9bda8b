import { type ReceivedRequest, reply, TestServer } from '@gondola/local-stack/testing/test-server';
import type { ServerResponse } from 'node:http';

/** Records of a load that the app took in one call, each as JSON text. */
export interface TakenPart {
  readonly loadId: string;
  /** Place of the first one in the file. */
  readonly from: number;
  readonly records: readonly string[];
}

/** A network between the command line and the app that fails when a test says so, and stays away until it is mended. */
export class CutLine {
  readonly #target: () => string;
  #server!: TestServer;
  /** Calls that still pass, and are answered. */
  #passing = Number.POSITIVE_INFINITY;
  #losesAnswer = false;
  /** Loads that the app was asked to begin, and answered. */
  begun = 0;
  /** Parts that the app took, whether or not its answer arrived. */
  readonly taken: TakenPart[] = [];
  /** Looks at a load that passed: all of its file was handed over before. */
  looked = 0;
  /** Called at each call that fails, before its caller knows. */
  onCut: () => void = () => {};

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
    if (isCut && !this.#losesAnswer) return this.#drop(response);
    this.#losesAnswer &&= !isCut;
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const init = { method, headers: { authorization, 'content-type': type } };
    const answer = await fetch(`${this.#target()}${path}`, method === 'GET' ? init : { ...init, body: String(body) });
    const text = await answer.text();
    const { pathname } = new URL(path, this.url);
    if (method === 'POST' && pathname === '/api/loads') this.begun += 1;
    const [, loadId] = /^\/api\/loads\/([^/]+)\/records$/.exec(pathname) ?? [];
    if (loadId !== undefined && answer.ok) {
      const { from, records } = JSON.parse(String(body)) as Omit<TakenPart, 'loadId'>;
      this.taken.push({ loadId: decodeURIComponent(loadId), from, records });
    }
    if (method === 'GET' && pathname.startsWith('/api/loads/')) this.looked += 1;
    if (isCut) this.#drop(response);
    else reply(response, { status: answer.status, text });
  }

  #drop(response: ServerResponse): void {
    this.onCut();
    reply(response, 'drop');
  }
}
