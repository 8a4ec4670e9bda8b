import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection } from 'ssh2';

/** An SSH server of a test's own, with a key of its own. */
export class SshServer {
  /** How often a user was shown to it. */
  logins = 0;
  /** Of its key. */
  readonly fingerprint: string;
  readonly #server: InstanceType<typeof ssh2.Server>;
  readonly #connections = new Set<Connection>();

  private constructor(welcome: (connection: Connection) => void) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    const publicKey = Buffer.from(pair.public.split(' ')[1] ?? '', 'base64');
    this.fingerprint = `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
    this.#server = new ssh2.Server({ hostKeys: [pair.private] }, (connection) => {
      this.#connections.add(connection);
      connection.on('error', () => {});
      connection.on('authentication', (context) => {
        this.logins += 1;
        context.accept();
      });
      connection.on('close', () => this.#connections.delete(connection));
      welcome(connection);
    });
  }

  static async start(welcome: (connection: Connection) => void = () => {}): Promise<SshServer> {
    const server = new SshServer(welcome);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.end();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
