import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type AuthContext, type Connection, type ServerConfig } from 'ssh2';

const GENERATORS = {
  ed25519: () => ssh2.utils.generateKeyPairSync('ed25519'),
  'ecdsa-p256': () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
  'ecdsa-p384': () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 384 }),
  'ecdsa-p521': () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 521 }),
  rsa: () => ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }),
} as const;

export type KeyType = keyof typeof GENERATORS;

export interface SshServerOptions {
  /** Types of its keys; without, one of ECDSA. */
  readonly keys?: readonly KeyType[];
  readonly algorithms?: ServerConfig['algorithms'];
  /** Serves a session. */
  readonly welcome?: (connection: Connection) => void;
  /** Judges an attempt to log in; without, each is accepted. */
  readonly authenticate?: (context: AuthContext) => void;
}

/** A test's own SSH server with its own keys. */
export class SshServer {
  /** Methods of the attempts to log in. */
  readonly attempts: string[] = [];
  connections = 0;
  /** Fingerprints of its keys by their types. */
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly #server: InstanceType<typeof ssh2.Server>;
  readonly #open = new Set<Connection>();

  private constructor({ keys = ['ecdsa-p256'], algorithms, welcome, authenticate }: SshServerOptions) {
    const pairs = keys.map((type) => ({ type, ...readableKey(type) }));
    this.fingerprints = Object.fromEntries(pairs.map(({ type, fingerprint }) => [type, fingerprint]));
    const hostKeys = pairs.map(({ privateKey }) => privateKey);
    this.#server = new ssh2.Server({ hostKeys, ...(algorithms && { algorithms }) }, (connection) => {
      this.connections += 1;
      this.#open.add(connection);
      connection.on('error', () => {});
      connection.on('authentication', (context) => {
        this.attempts.push(context.method);
        if (authenticate === undefined) context.accept();
        else authenticate(context);
      });
      connection.on('close', () => this.#open.delete(connection));
      welcome?.(connection);
    });
  }

  static async start(options: SshServerOptions = {}): Promise<SshServer> {
    const server = new SshServer(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Fingerprint of its first key. */
  get fingerprint(): string {
    return Object.values(this.fingerprints)[0]!;
  }

  async stop(): Promise<void> {
    for (const connection of this.#open) connection.end();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** ssh2 cannot read one in 256 of the Ed25519 keys that it generates itself. */
export function readableKey(type: KeyType): { readonly privateKey: string; readonly fingerprint: string } {
  for (;;) {
    const { private: privateKey } = GENERATORS[type]();
    const key = ssh2.utils.parseKey(privateKey);
    if (key instanceof Error) continue;
    const digest = createHash('sha256').update(key.getPublicSSH()).digest('base64');
    return { privateKey, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` };
  }
}
