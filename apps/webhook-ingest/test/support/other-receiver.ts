import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery that the other receiver has read completely. */
export interface PassedOn {
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Decides about each delivery: a status, an answer of its own, or `hangs`. */
export type Answering = (passedOn: PassedOn) => number | 'hangs' | ((response: ServerResponse) => void);

/** Another HTTP receiver, such as the connector that Gondola replaces. */
export class OtherReceiver {
  readonly received: PassedOn[] = [];
  answering: Answering = () => 200;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(): Promise<OtherReceiver> {
    const receiver = new OtherReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks?shop=1`;
  }

  get bodies(): string[] {
    return this.received.map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { rawHeaders, headers } = request;
    const passedOn = {
      rawHeaders,
      authorization: headers.authorization,
      body: Buffer.concat(chunks).toString('latin1'),
    };
    this.received.push(passedOn);
    const answer = this.answering(passedOn);
    if (typeof answer === 'function') answer(response);
    else if (answer !== 'hangs') response.writeHead(answer).end();
  }
}
