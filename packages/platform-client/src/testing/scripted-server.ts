import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { TestServer } from '@gondola/local-stack/testing/test-server';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Script = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server on a free port; each test scripts its reaction to a request. */
export class ScriptedServer {
  readonly requests: ReceivedRequest[] = [];
  #server!: TestServer;
  #script: Script = answer(200, '{}');

  async start(): Promise<void> {
    this.#server = await TestServer.start(({ method, path: url, headers, body }, response) => {
      const received = { method, url, headers, body: body.toString() };
      this.requests.push(received);
      this.#script(response, received);
    });
  }

  get url(): string {
    return this.#server.url;
  }

  /** Sets the answer to every request from now on. */
  script(script: Script): void {
    this.#script = script;
  }

  /** Answers the following requests with these scripts in turn; the last one then stays. */
  scripts(...list: Script[]): void {
    const queue = [...list];
    this.#script = (response, request) => {
      const next = queue.length > 1 ? queue.shift() : queue[0];
      next?.(response, request);
    };
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

export function answer(status: number, body = '', headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Reads the request and does not answer. */
export const silence: Script = () => undefined;

/** Closes the connection instead of answering. */
export const drop: Script = (response) => {
  response.socket?.destroy();
};

/** Sends a head and a part of the body, then closes the connection. */
export function breakOff(status: number, part: string): Script {
  return (response) => {
    response.writeHead(status, { 'content-length': String(part.length + 100) });
    response.write(part, () => response.socket?.destroy());
  };
}

/** Sends a head and a part of the body, then nothing more. */
export function stall(status: number, part: string): Script {
  return (response) => {
    response.writeHead(status, { 'content-length': String(part.length + 100) });
    response.write(part);
  };
}

/** A chunked body of `bytes` spaces, which JSON would allow. */
export function flood(status: number, bytes: number): Script {
  return (response) => {
    response.writeHead(status);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let left = bytes;
    const push = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', push);
          return;
        }
      }
      response.end('{}');
    };
    push();
  };
}
