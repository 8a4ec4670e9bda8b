import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection } from 'ssh2';

/** A test's own SSH server with its own key. */
export class SshServer {
  /** Number of log-ins. */
  logins = 0;
  /** Fingerprint of its key. */
  readonly fingerprint: string;
  readonly #server: InstanceType<typeof ssh2.Server>;
  readonly #connections = new Set<Connection>();

  private constructor(welcome: (connection: Connection) => void) {
    // ECDSA, because ssh2 cannot read one in 256 of the Ed25519 keys that it generates itself.
    const privateKey = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'sec1', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey;
    const key = ssh2.utils.parseKey(privateKey);
    if (key instanceof Error) throw key;
    const publicKey = key.getPublicSSH();
    this.fingerprint = `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
    this.#server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
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
