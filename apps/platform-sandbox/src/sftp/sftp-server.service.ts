import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import ssh2, { type AuthContext, type Connection, type Server } from 'ssh2';
import { ConfigError } from '../values/config-error.ts';
import { newHostKey } from './host-key.ts';
import { PlaceFiles } from './place-files.service.ts';
import { SftpSession } from './sftp-session.adapter.ts';

export interface SftpSettings {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** A private key, OpenSSH or PEM; null: a new one at each start. */
  readonly hostKey: string | null;
  /** First folder of every path; the document does not show its name. */
  readonly contractFolder: string;
  /** A larger file is refused. */
  readonly maxBytes: number;
}

/** Port of the drop, and the host keys that clients pin. */
export interface SftpAddress {
  readonly port: number;
  readonly contractFolder: string;
  readonly hostKey: string;
  readonly hostKeyFingerprint: string;
}

const MOST_CONNECTIONS = 32;
const MOST_PASSWORDS = 3;
const LOGIN_MS = 10_000;

/** The platform's SFTP server: one user, files only, no shell. */
export class SftpServer {
  private readonly connections = new Set<Connection>();
  private server: Server | undefined;
  private reached: SftpAddress | null = null;

  constructor(
    private readonly drop: PlaceFiles,
    private readonly settings: SftpSettings,
    private readonly logger: Logger,
  ) {}

  /** Null while the server does not run. */
  get address(): SftpAddress | null {
    return this.reached;
  }

  async start(): Promise<void> {
    const { settings: sftp } = this;
    const privateKey = sftp.hostKey ?? newHostKey();
    const key = ssh2.utils.parseKey(privateKey);
    if (key instanceof Error || !key.isPrivateKey()) {
      throw new ConfigError([{ where: 'SFTP_HOST_KEY', problem: 'is no private key, OpenSSH or PEM' }]);
    }
    const server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => this.welcome(connection));
    server.maxConnections = MOST_CONNECTIONS;
    const listening = Promise.withResolvers<void>();
    server.on('error', listening.reject);
    server.listen(sftp.port, sftp.host, listening.resolve);
    await listening.promise;
    this.server = server;
    const { port } = server.address() as AddressInfo;
    const publicKey = key.getPublicSSH();
    const fingerprint = createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '');
    this.reached = {
      port,
      contractFolder: sftp.contractFolder,
      hostKey: `${key.type} ${publicKey.toString('base64')}`,
      hostKeyFingerprint: `SHA256:${fingerprint}`,
    };
    this.logger.info({ port }, `The SFTP server listens; its host key is ${this.reached.hostKeyFingerprint}`);
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.reached = null;
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    for (const connection of this.connections) connection.end();
    await closed.promise;
    await this.drop.clear();
  }

  private welcome(connection: Connection): void {
    this.connections.add(connection);
    const late = setTimeout(() => connection.end(), LOGIN_MS);
    let passwords = 0;
    connection.on('authentication', (context) => {
      if (this.isUser(context)) return context.accept();
      if (context.method === 'password') passwords += 1;
      return passwords < MOST_PASSWORDS ? context.reject(['password']) : connection.end();
    });
    connection.on('ready', () => clearTimeout(late));
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => new SftpSession(acceptSftp(), this.drop, this.logger).serve());
    });
    // A client that disconnects; its session discards its open files.
    connection.on('error', () => {});
    connection.on('close', () => {
      clearTimeout(late);
      this.connections.delete(connection);
    });
  }

  private isUser(context: AuthContext): boolean {
    const { settings: sftp } = this;
    if (context.method !== 'password') return false;
    const [given, right] = [
      [context.username, context.password],
      [sftp.username, sftp.password],
    ].map((login) => createHash('sha256').update(JSON.stringify(login)).digest());
    return given !== undefined && right !== undefined && timingSafeEqual(given, right);
  }
}
