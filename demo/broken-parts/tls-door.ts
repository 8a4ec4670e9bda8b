import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { TestCertificate } from '@gondola/local-stack/testing/test-certificate';

/** A server that ends TLS, as an ingress does, and passes everything on. */
export class TlsDoor {
  readonly #server: Server;
  readonly #open = new Set<TLSSocket>();
  #port = 0;

  private constructor(certificate: TestCertificate) {
    this.#server = createServer(certificate.server, (outside) => {
      const inside = connect(this.#port, '127.0.0.1');
      this.#open.add(outside);
      outside.once('close', () => this.#open.delete(outside));
      for (const [one, other] of [
        [outside, inside],
        [inside, outside],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.once('close', () => other.destroy());
      }
    });
    this.#server.on('tlsClientError', () => undefined);
  }

  static async open(certificate: TestCertificate): Promise<TlsDoor> {
    const door = new TlsDoor(certificate);
    door.#server.listen(0, '127.0.0.1');
    await once(door.#server, 'listening');
    return door;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  leadTo(url: string): void {
    this.#port = Number(new URL(url).port);
  }

  /** Shows another certificate to whoever connects from now on, and ends all connections. */
  show(certificate: TestCertificate): void {
    this.#server.setSecureContext(certificate.server);
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
