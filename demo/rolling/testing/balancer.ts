import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One address for the replicas of an app, as a service of Kubernetes: each request goes to the next one. */
export class Balancer {
  readonly #server: Server;
  readonly #urls: string[] = [];

  private constructor() {
    this.#server = createServer((asked, answer) => this.#pass(asked, answer));
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    balancer.#server.listen(0, '127.0.0.1', resolve);
    await listening;
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  add(url: string): void {
    this.#urls.push(url);
  }

  remove(url: string): void {
    this.#urls.splice(this.#urls.indexOf(url), 1);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const next = this.#urls.shift();
    if (next === undefined) return void answer.destroy();
    this.#urls.push(next);
    const { method, headers } = asked;
    const passed = request(next + asked.url, { method, headers, agent: false }, (given) => {
      answer.writeHead(given.statusCode!, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }
}
