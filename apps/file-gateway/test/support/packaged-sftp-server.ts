import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
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
const PATH = `${process.env['PATH']}:/usr/sbin:/sbin`;
const USER_ID = 54_321;

/** Files of one server, before it starts. */
interface Prepared {
  readonly folder: string;
  readonly port: number;
  /** Files of its host keys. */
  readonly keyFiles: readonly string[];
  /** Hash of the password in the form of `crypt`. */
  readonly hash: string;
}

/** A server of a package: command and arguments that start it in the foreground. */
type Command = (prepared: Prepared) => Promise<readonly string[]>;

/** A server that a package brings, started for a test on its own port. Its user may write to the folder `/drop`. */
export class PackagedSftpServer {
  private constructor(
    readonly port: number,
    readonly fingerprints: Readonly<Record<string, string>>,
    readonly log: () => string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(command: Command): Promise<PackagedSftpServer> {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-sftp-'));
    await chmod(folder, 0o755);
    const port = await freePort();
    const fingerprints: Record<string, string> = {};
    const keyFiles: string[] = [];
    for (const type of KEYS) {
      const { privateKey, fingerprint } = readableKey(type);
      fingerprints[type] = fingerprint;
      keyFiles.push(join(folder, type));
      await writeFile(join(folder, type), privateKey, { mode: 0o600 });
    }
    await mkdir(join(folder, 'home/drop'), { recursive: true });
    execFileSync('chown', [`${USER_ID}:${USER_ID}`, join(folder, 'home/drop')]);
    const hash = execFileSync('openssl', ['passwd', '-6', USER.password], { encoding: 'utf8' }).trim();
    const [program, ...args] = await command({ folder, port, keyFiles, hash });
    const child = spawn(program!, args, { env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += String(bytes)));
    const server = new PackagedSftpServer(port, fingerprints, () => output, child, folder);
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

/** The server's version; null where the machine lacks it, or the right to give it users of its own. */
export function versionOf(program: 'sshd' | 'proftpd'): string | null {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || spawnSync('unshare', ['--mount', 'true']).status !== 0) return null;
  if (program === 'proftpd' && !existsSync(join(proFtpdModules(), 'mod_sftp.so'))) return null;
  const { stdout, stderr, error } = spawnSync(program, [program === 'sshd' ? '-V' : '-v'], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  return error === undefined ? (/OpenSSH_[^\s,]+|ProFTPD Version \S+/.exec(stdout + stderr)?.[0] ?? null) : null;
}

/** Folder of ProFTPD's modules, beside its program. */
function proFtpdModules(): string {
  const program = PATH.split(':')
    .map((folder) => join(folder, 'proftpd'))
    .find((path) => existsSync(path));
  return join(program ?? '/', '../../lib/proftpd');
}

/** OpenSSH, which sees a user database and PAM of its own. */
export function openSsh(settings: readonly string[]): Command {
  return async ({ folder, port, keyFiles, hash }) => {
    const home = join(folder, 'home');
    const file = (name: string, text: string) => configFile(join(folder, name), text);
    const passwd = await file(
      'passwd',
      `root:x:0:0::/root:/bin/sh
       sshd:x:54320:65534::/run/sshd:/bin/false
       ${USER.username}:x:${USER_ID}:${USER_ID}::/:/bin/sh`,
    );
    const shadow = await file(
      'shadow',
      `root:*:1::::::
       sshd:*:1::::::
       ${USER.username}:${hash}:19000::::::`,
    );
    const pam = await file(
      'pam',
      `auth required pam_unix.so
       account required pam_unix.so
       session required pam_permit.so`,
    );
    const config = await file(
      'config',
      `Port ${port}
       ListenAddress 127.0.0.1
       PidFile none
       LogLevel VERBOSE
       UsePAM yes
       ChrootDirectory /srv
       Subsystem sftp internal-sftp
       ${keyFiles.map((key) => `HostKey ${key}`).join('\n')}
       ${settings.join('\n')}`,
    );
    const script = [
      // OpenSSH takes no root that lies below a folder to which everybody may write.
      `mount --bind ${home} /srv`,
      `mount --bind ${passwd} /etc/passwd`,
      `mount --bind ${shadow} /etc/shadow`,
      `mkdir ${folder}/pam.d && cp ${pam} ${folder}/pam.d/sshd && mount --bind ${folder}/pam.d /etc/pam.d`,
      'mount -t tmpfs tmpfs /run && mkdir /run/sshd',
      `exec $(command -v sshd) -D -e -f ${config}`,
    ];
    return ['unshare', '--mount', 'sh', '-c', script.join(' && ')];
  };
}

/** ProFTPD with mod_sftp. */
export function proFtpd(settings: readonly string[]): Command {
  return async ({ folder, port, keyFiles, hash }) => {
    const account = `${USER.username}:${hash}:${USER_ID}:${USER_ID}::${folder}/home:/bin/sh`;
    const users = await configFile(join(folder, 'users'), account, 0o600);
    const config = await configFile(
      join(folder, 'config'),
      `ModulePath ${proFtpdModules()}
       LoadModule mod_sftp.c
       ServerType standalone
       DefaultAddress 127.0.0.1
       Port ${port}
       User nobody
       Group nogroup
       PidFile ${folder}/pid
       ScoreboardFile ${folder}/scores
       WtmpLog off
       UseReverseDNS off
       SFTPEngine on
       SFTPAuthMethods password
       RequireValidShell off
       DefaultRoot ~
       AuthUserFile ${users}
       AuthOrder mod_auth_file.c
       ${keyFiles.map((key) => `SFTPHostKey ${key}`).join('\n')}
       ${settings.join('\n')}`,
    );
    return ['proftpd', '-n', '-q', '-c', config];
  };
}

/** Writes a file without the indentation of its lines, and returns its path. */
async function configFile(path: string, text: string, mode = 0o644): Promise<string> {
  await writeFile(path, `${text.replaceAll(/^ +/gm, '')}\n`, { mode });
  return path;
}
