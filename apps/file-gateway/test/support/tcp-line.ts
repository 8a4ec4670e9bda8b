import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy to a server; a test sets its target and cuts its connections. */
export class TcpLine {
  /** Number of connections so far. */
  connections = 0;
  /** Most bytes that one connection carried to the server. */
  mostSent = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cutAfterBytes: number | null = null;

  private constructor(public target: number) {
    this.#server = createServer((socket) => this.#carry(socket));
  }

  static async to(target: number): Promise<TcpLine> {
    const line = new TcpLine(target);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts the next connection that carries so many bytes to the server, and only that one. */
  cutAfter(bytes: number): void {
    this.#cutAfterBytes = bytes;
  }

  get isCut(): boolean {
    return this.#cutAfterBytes === null;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #carry(near: Socket): void {
    this.connections += 1;
    const far = connect(this.target, '127.0.0.1');
    let sent = 0;
    near.on('data', (bytes) => {
      const left = (this.#cutAfterBytes ?? Infinity) - sent;
      sent += bytes.length;
      this.mostSent = Math.max(this.mostSent, sent);
      far.write(bytes.subarray(0, Math.max(0, left)));
      if (bytes.length < left) return;
      this.#cutAfterBytes = null;
      near.destroy();
      far.destroySoon();
    });
    far.on('data', (bytes) => near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroySoon();
      });
    }
  }
}
