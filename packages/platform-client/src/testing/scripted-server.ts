import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as they came over the wire. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Script = (response: ServerResponse, request: ReceivedRequest) => void;

/** A real HTTP server on a free port; each test writes what it does with a request. */
export class ScriptedServer {
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;
  #script: Script = answer(200, '{}');

  constructor() {
    // A connection that it closed after five idle seconds would cost a call that is made in that moment.
    this.#server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        };
        this.requests.push(received);
        this.#script(response, received);
      });
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** What is done with every request from now on. */
  script(script: Script): void {
    this.#script = script;
  }

  /** The requests are handled by these one after another, the last one then stays. */
  scripts(...list: Script[]): void {
    const queue = [...list];
    this.#script = (response, request) => {
      const next = queue.length > 1 ? queue.shift() : queue[0];
      next?.(response, request);
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function answer(status: number, body = '', headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Reads the request and says nothing. */
export const silence: Script = () => undefined;

/** Closes the connection instead of an answer. */
export const drop: Script = (response) => {
  response.socket?.destroy();
};

/** Answers a head and a part of the body, then closes the connection. */
export function breakOff(status: number, part: string): Script {
  return (response) => {
    response.writeHead(status, { 'content-length': String(part.length + 100) });
    response.write(part, () => response.socket?.destroy());
  };
}

/** Answers a head and a part of the body, then says nothing more. */
export function stall(status: number, part: string): Script {
  return (response) => {
    response.writeHead(status, { 'content-length': String(part.length + 100) });
    response.write(part);
  };
}

/** A chunked body of that many bytes, all spaces: JSON would allow them. */
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
