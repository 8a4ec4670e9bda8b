import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@gondola/local-stack/free-port';
import { type KeyType, readableKey } from './ssh-server.ts';

export const USER = { username: 'imagens', password: 'not-a-secret' };
const KEYS: readonly KeyType[] = ['ed25519', 'ecdsa-p256', 'rsa'];
/** Programs of servers are outside the search path of many users. */
export const PATH = `${process.env['PATH']}:/usr/sbin:/sbin`;

/** Files of one server, before it starts. */
export interface Prepared {
  readonly folder: string;
  /** The user's folder, which has the folder `drop`. */
  readonly home: string;
  readonly port: number;
  /** Files of its host keys. */
  readonly keyFiles: readonly string[];
}

/** Command and arguments that start a server of a package in the foreground. */
export type Command = (prepared: Prepared) => Promise<readonly string[]>;

/**
 * Arrangements of a server.
 *
 * - `password`, `question`: logs in by the method `password`, or by one question of `keyboard-interactive`, alone
 * - `one attempt`: the same, by any of the two, and a second attempt is not allowed
 * - `password or question`, `password and question`: logs in by each of the two, or only by both
 * - `keys only`: logs in by keys, which Gondola has not
 * - `old key exchange`: has diffie-hellman-group14-sha1 alone
 * - `no renaming`, `pictures only`: as `password`; refuses to rename, or names that do not end as pictures' names do
 */
export type Setup =
  | 'password'
  | 'question'
  | 'one attempt'
  | 'password or question'
  | 'password and question'
  | 'keys only'
  | 'old key exchange'
  | 'no renaming'
  | 'pictures only';

/** A kind of server. */
export interface SftpPackage {
  readonly name: string;
  readonly needs: string;
  /** The version; null where the machine lacks it. */
  readonly version: () => Promise<string | null>;
  /** Its start in each arrangement that it has. */
  readonly setups: Readonly<Partial<Record<Setup, Command>>>;
  /** Name of a folder `drop` as clients see it. Default: `/drop`. */
  readonly dropIn?: (home: string) => string;
}

/** A server that a package brings, started for a test on its own port. */
export class PackagedSftpServer {
  private constructor(
    readonly port: number,
    /** Folder to which its user may write. */
    readonly drop: string,
    readonly fingerprints: Readonly<Record<string, string>>,
    readonly log: () => string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(
    { setups, dropIn = () => '/drop' }: SftpPackage,
    setup: Setup,
    keys: readonly KeyType[] = KEYS,
  ): Promise<PackagedSftpServer> {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-sftp-'));
    await chmod(folder, 0o755);
    const port = await freePort();
    const fingerprints: Record<string, string> = {};
    const keyFiles: string[] = [];
    for (const type of keys) {
      const { privateKey, fingerprint } = readableKey(type);
      fingerprints[type] = fingerprint;
      keyFiles.push(join(folder, type));
      await writeFile(join(folder, type), privateKey, { mode: 0o600 });
    }
    const home = join(folder, 'home');
    await mkdir(join(home, 'drop'), { recursive: true });
    const [program, ...args] = await setups[setup]!({ folder, home, port, keyFiles });
    const child = spawn(program!, args, { env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += String(bytes)));
    const server = new PackagedSftpServer(port, dropIn(home), fingerprints, () => output, child, folder);
    await server.#listens();
    return server;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'close');
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true });
  }

  /** Waits for the server's greeting. */
  async #listens(): Promise<void> {
    while (!(await this.#greets())) {
      if (this.child.exitCode !== null) throw new Error(`The server does not start: ${this.log()}`);
      await wait(20);
    }
  }

  async #greets(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      const [greeting] = (await once(socket, 'data')) as [Buffer];
      return greeting.toString('latin1').startsWith('SSH-');
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}

/** Writes a file without the indentation of its lines, and returns its path. */
export async function configFile(path: string, text: string, mode = 0o644): Promise<string> {
  await writeFile(path, `${text.replaceAll(/^ +/gm, '')}\n`, { mode });
  return path;
}
