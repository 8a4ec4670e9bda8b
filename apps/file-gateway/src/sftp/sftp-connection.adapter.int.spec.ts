import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@gondola/local-stack/free-port';
import { afterEach, describe, expect, it } from '@jest/globals';
import ssh2, { type AuthContext, type Connection, type KexAlgorithm, type Prompt, type SFTPWrapper } from 'ssh2';
import { type KeyType, SshServer, type SshServerOptions } from '../../test/support/ssh-server.ts';
import { PinnedKeys } from './pinned-keys.ts';
import { SftpConnection } from './sftp-connection.adapter.ts';
import { SftpError } from './sftp-error.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const LOGIN = { host: '127.0.0.1', username: 'imagens', password: 'not-a-secret' };
const HANDLE = Buffer.from('file');
const CHUNK_BYTES = 100_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serverOf(options: SshServerOptions): Promise<SshServer> {
  const server = await SshServer.start(options);
  closing.push(() => server.stop());
  return server;
}

/** A server whose files behave as a test decides. */
async function serverThat(serve: (sftp: SFTPWrapper, connection: Connection) => void): Promise<SshServer> {
  return serverOf({ welcome: (connection) => answerBy(connection, serve) });
}

function answerBy(connection: Connection, serve: (sftp: SFTPWrapper, connection: Connection) => void): void {
  connection.on('session', (accept) => accept().on('sftp', (acceptSftp) => serve(acceptSftp(), connection)));
}

const welcome = (connection: Connection): void => answerBy(connection, () => {});
const keysOf = (...fingerprints: string[]): PinnedKeys => new PinnedKeys(fingerprints);
const ANOTHER = keysOf(`SHA256:${'a'.repeat(43)}`);

const anyTime = (): AbortSignal => new AbortController().signal;

async function open(
  { port, fingerprint }: SshServer,
  signal = anyTime(),
  hostKeys = keysOf(fingerprint),
): Promise<SftpConnection> {
  const server = { ...LOGIN, port, hostKeys };
  const connection = await SftpConnection.open(server, { connectMs: 30_000, signal });
  closing.push(async () => connection.close());
  return connection;
}

const KEYS: readonly KeyType[] = ['ed25519', 'ecdsa-p256', 'ecdsa-p384', 'ecdsa-p521', 'rsa'];
const HIDDEN: Prompt = { prompt: 'Password: ', echo: false };

interface AuthSteps {
  readonly password?: 'refused' | 'partial' | 'expired';
  /** Questions of each request. */
  readonly prompts?: readonly Prompt[][];
}

/** Lets in who shows the password in one of the methods, by its steps. */
function by(methods: readonly string[], steps: AuthSteps, answers: string[][] = []): (context: AuthContext) => void {
  const { prompts = [[HIDDEN]], password } = steps;
  return (context) => {
    const listed = methods as AuthContext['method'][];
    if (context.method === 'password' && (methods.length === 0 || methods.includes('password'))) {
      if (password === 'partial') context.reject(['keyboard-interactive'], true);
      else if (password === 'expired') context.requestChange('New password: ', () => context.reject());
      else if (password === 'refused' || context.password !== LOGIN.password) context.reject(listed);
      else context.accept();
    } else if (context.method === 'keyboard-interactive' && methods.includes('keyboard-interactive')) {
      const ask = ([first, ...more]: readonly Prompt[][]): void => {
        if (first === undefined) return context.accept();
        context.prompt(first, (given) => {
          answers.push(given);
          if (given.every((answer) => answer === LOGIN.password)) ask(more);
          else context.reject(listed);
        });
      };
      ask(prompts);
    } else context.reject(listed);
  };
}

async function refusalOf(opening: Promise<SftpConnection>): Promise<SftpError> {
  const error = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SftpError)) throw new Error('The session was opened', { cause: error });
  return error;
}

describe('a session with an SFTP server (rule 34)', () => {
  it('shows neither user nor password to a server with another key than the pinned ones', async () => {
    const server = await serverThat(() => {});
    const pinned = { ...LOGIN, port: server.port, hostKeys: ANOTHER };
    await expect(SftpConnection.open(pinned, { connectMs: 30_000, signal: anyTime() })).rejects.toMatchObject({
      code: 'host-key',
      detail: `${server.fingerprint} (ecdsa-sha2-nistp256)`,
    });
    expect(server.attempts).toEqual([]);
    await open(server);
    expect(server.attempts).toEqual(['none']);
  });

  it('shows nothing to a server of which no key is pinned, and names all its keys', async () => {
    const server = await serverOf({ keys: KEYS });
    const { fingerprints } = server;
    const error = await refusalOf(open(server, anyTime(), ANOTHER));
    expect(error.code).toBe('host-key');
    for (const type of KEYS) expect(error.detail).toContain(fingerprints[type]);
    expect(server.attempts).toEqual([]);
  });

  it.each(KEYS)(
    'finds the pinned key on a server that has keys of all types, and asks for it first: %s',
    async (type) => {
      const server = await serverOf({ keys: KEYS, welcome });
      const hostKeys = keysOf(server.fingerprints[type]!);
      await open(server, anyTime(), hostKeys);
      const first = server.connections;
      await open(server, anyTime(), hostKeys);
      expect(server.connections).toBe(first + 1);
    },
  );

  it('does not take a server for another one that cannot be asked for its other keys', async () => {
    const cut = (connection: Connection): void => {
      if (server.connections === 2) connection.end();
    };
    const server: SshServer = await serverOf({ keys: KEYS, welcome: cut });
    const error = await refusalOf(open(server, anyTime(), keysOf(server.fingerprints['rsa']!)));
    expect(error.code).toBe('broken-off');
  });

  it.each<[string, SshServerOptions['algorithms'], string]>([
    ['key exchange algorithm', { kex: ['diffie-hellman-group1-sha1'] as KexAlgorithm[] }, 'diffie-hellman-group1-sha1'],
    ['c->s cipher', { cipher: ['aes128-cbc'] }, 'aes128-cbc'],
    ['c->s mac', { cipher: ['aes128-ctr'], hmac: ['hmac-md5'] }, 'hmac-md5'],
  ])('names what it has not in common with a server, and what the server has: %s', async (what, algorithms, has) => {
    const server = await serverOf({ algorithms });
    const error = await refusalOf(open(server));
    expect(error).toMatchObject({ code: 'no-common-algorithm' });
    expect(error.detail).toMatch(new RegExp(`no matching ${what}; the server has: .*${has}`));
    expect(server.attempts).toEqual([]);
  });

  it.each<[string, string[], AuthSteps, string[]]>([
    ['password', ['password'], {}, ['none', 'password']],
    ['one question', ['keyboard-interactive'], {}, ['none', 'keyboard-interactive']],
    [
      'one question, although it lists the password',
      ['password', 'keyboard-interactive'],
      { password: 'refused' },
      ['none', 'password', 'keyboard-interactive'],
    ],
    ['password, and lists no methods', [], {}, ['none', 'password']],
  ])('shows the password to a server that takes it by %s', async (_how, methods, steps, attempts) => {
    const server = await serverOf({ welcome, authenticate: by(methods, steps) });
    await open(server);
    expect(server.attempts).toEqual(attempts);
  });

  it.each<[string, string[], AuthSteps, string, string | RegExp]>([
    ['refuses it', ['password'], { password: 'refused' }, 'credentials', 'the server lists: password'],
    ['takes keys only', ['publickey'], {}, 'no-password', 'the server lists: publickey'],
    [
      'wants a code besides it',
      ['password'],
      { password: 'partial' },
      'log-in-question',
      'the server lists: keyboard-interactive',
    ],
    ['wants a new one', ['password'], { password: 'expired' }, 'log-in-question', 'a new password'],
    [
      'asks for something with echo',
      ['keyboard-interactive'],
      { prompts: [[{ prompt: 'Code: ', echo: true }]] },
      'log-in-question',
      'questions: 1, with echo: 1',
    ],
    [
      'asks for two things at a time',
      ['keyboard-interactive'],
      { prompts: [[HIDDEN, HIDDEN]] },
      'log-in-question',
      'questions: 2, with echo: 0',
    ],
    [
      'asks for something after it',
      ['keyboard-interactive'],
      { prompts: [[HIDDEN], [HIDDEN]] },
      'log-in-question',
      'questions: 1, with echo: 0, after the password',
    ],
  ])('says why a server does not take the password: one that %s', async (_what, methods, steps, code, detail) => {
    const answers: string[][] = [];
    const server = await serverOf({ authenticate: by(methods, steps, answers) });
    expect(await refusalOf(open(server))).toMatchObject({ code, detail });
    // Each answer is the password, for the only question of the first request.
    expect(answers.flat().filter((answer) => answer !== LOGIN.password)).toEqual([]);
    expect(answers.length).toBeLessThanOrEqual(1);
  });

  it('reads no further piece of the content before the server has the one before', async () => {
    const received: number[] = [];
    const server = await serverThat((sftp) => {
      sftp.on('OPEN', (id) => sftp.handle(id, HANDLE));
      sftp.on('WRITE', (id, _handle, _offset, data) => {
        received.push(data.length);
        sftp.status(id, STATUS_CODE.OK);
      });
      sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
    });
    const total = (): number => received.reduce((sum, size) => sum + size, 0);
    const atEachRead: number[] = [];
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let chunk = 0; chunk < 5; chunk += 1) {
        atEachRead.push(total());
        yield Buffer.alloc(CHUNK_BYTES);
      }
    }
    const connection = await open(server);
    expect(await connection.write('/a.png', content())).toBe(5 * CHUNK_BYTES);
    expect(atEachRead).toEqual([0, 1, 2, 3, 4].map((chunks) => chunks * CHUNK_BYTES));
    expect(total()).toBe(5 * CHUNK_BYTES);
  });

  it('distinguishes a server that refuses, one that disconnects, unreadable content, and an abort signal', async () => {
    const server = await serverThat((sftp, connection) => {
      sftp.on('OPEN', (id, path) => {
        if (path === '/full.png') sftp.status(id, STATUS_CODE.FAILURE, 'quota');
        else sftp.handle(id, HANDLE);
      });
      sftp.on('STAT', (id) => sftp.status(id, STATUS_CODE.NO_SUCH_FILE));
      sftp.on('RENAME', (_id, from) => {
        if (from === '/cut.png') connection.end();
      });
    });
    const giveUp = new AbortController();
    const connection = await open(server, giveUp.signal);
    expect(await connection.sizeOf('/nowhere.png')).toBeNull();
    await expect(connection.write('/full.png', [])).rejects.toMatchObject({
      code: 'refused',
      step: 'write',
      detail: 'status 4 (FAILURE)',
    });
    await expect(connection.write('/a.png', unreadable())).rejects.toMatchObject({ code: 'content' });
    const unanswered = connection.rename('/silent.png', '/a.png');
    giveUp.abort();
    await expect(unanswered).rejects.toMatchObject({ code: 'given-up' });
    await expect(connection.sizeOf('/a.png')).rejects.toMatchObject({ code: 'given-up' });
    const other = await open(server);
    await expect(other.rename('/cut.png', '/a.png')).rejects.toMatchObject({ code: 'broken-off' });
  });

  it('is unreachable if nothing listens, and times out if the server is silent', async () => {
    const silent = createServer((socket) => socket.resume());
    // No other server takes this port once it is closed.
    const port = await freePort();
    silent.listen(port, '127.0.0.1');
    await once(silent, 'listening');
    const server = { ...LOGIN, port, hostKeys: ANOTHER };
    const opening = SftpConnection.open(server, { connectMs: 50, signal: anyTime() });
    await expect(opening).rejects.toMatchObject({ code: 'timeout' });
    await new Promise((resolve) => silent.close(resolve));
    await expect(SftpConnection.open(server, { connectMs: 30_000, signal: anyTime() })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});

async function* unreadable(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(0);
  throw new Error('no database');
}
