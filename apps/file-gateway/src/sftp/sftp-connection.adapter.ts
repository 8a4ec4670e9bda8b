import ssh2, {
  type AnyAuthMethod,
  type AuthHandlerMiddleware,
  type ClientErrorExtensions,
  type FileEntry,
  type SFTPWrapper,
  type Stats,
} from 'ssh2';
import { asksForPassword, describePrompts, type LogInMethod, nextMethod } from './log-in.ts';
import { describeKey, type KeyAlgorithm, type PinnedKeys } from './pinned-keys.ts';
import { SftpError, type SftpStep } from './sftp-error.ts';

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly hostKeys: PinnedKeys;
}

export interface SftpLimits {
  /** Time limit for each connection that opening the session takes, in milliseconds. */
  readonly connectMs: number;
  /** Aborts the session. */
  readonly signal: AbortSignal;
}

type Done<T> = (err: Error | null | undefined, answer: T) => void;

const { STATUS_CODE } = ssh2.utils.sftp;
const STATUS_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODE).map(([name, status]) => [Number(status), name]),
);
/** Disconnection for which a server names no algorithm (RFC 4253, 11.1). */
const KEY_EXCHANGE_FAILED = 3;
/** Line of the client's debug output with the server's algorithms for one purpose. */
const SERVER_HAS = /^Handshake: \(remote\) [^:]+: (.*)$/;
/** Most characters of a server's list of algorithms that are shown. */
const MOST_CHARACTERS = 500;
/** Length that every server accepts in one request. */
const PIECE_BYTES = 32_768;
/** Detects a dead connection by unanswered keep-alive requests. */
const KEEPALIVE = { keepaliveInterval: 10_000, keepaliveCountMax: 3 };

/**
 * One session with a server whose host key is pinned: the key is compared before user and password are sent (rule
 * 34). All methods throw `SftpError`.
 */
export class SftpConnection {
  readonly #client: InstanceType<typeof ssh2.Client>;
  readonly #sftp: SFTPWrapper;
  readonly #unanswered = new Set<(error: SftpError) => void>();
  #end: SftpError | null = null;

  private constructor(client: InstanceType<typeof ssh2.Client>, sftp: SFTPWrapper) {
    this.#client = client;
    this.#sftp = sftp;
  }

  /**
   * Opens a session. A server that shows a key which is not pinned is asked for its keys of other types, with a new
   * connection for each, before it counts as another server.
   */
  static async open(server: SftpServer, limits: SftpLimits): Promise<SftpConnection> {
    const shown: Buffer[] = [];
    for (;;) {
      const offered = server.hostKeys.offered(shown);
      const before = shown.length;
      try {
        return await SftpConnection.#connect(server, limits, { offered, onStrangeKey: (key) => shown.push(key) });
      } catch (error) {
        if (!(error instanceof SftpError)) throw error;
        const hasNoOther = shown.length > 0 && error.code === 'no-common-algorithm';
        const isStrange = shown.length > before;
        if (isStrange && server.hostKeys.offered(shown).length > 0) continue;
        if (!isStrange && !hasNoOther) throw error;
        throw new SftpError('host-key', { detail: shown.map(describeKey).join(', '), cause: error });
      }
    }
  }

  static async #connect(
    { hostKeys, ...server }: SftpServer,
    { connectMs, signal }: SftpLimits,
    { offered, onStrangeKey }: { offered: KeyAlgorithm[]; onStrangeKey: (key: Buffer) => void },
  ): Promise<SftpConnection> {
    if (signal.aborted) throw new SftpError('given-up');
    const client = new ssh2.Client();
    let isOpening = true;
    let over: ((error: SftpError) => void) | null = null;
    let serverHas = '';
    const opened = Promise.withResolvers<SftpConnection>();
    const end = (error: SftpError): void => {
      opened.reject(error);
      over?.(error);
      client.destroy();
    };
    const giveUp = () => end(new SftpError('given-up'));
    signal.addEventListener('abort', giveUp, { once: true });
    client.on('error', (error) => end(troubleOf(error, { isOpening, serverHas })));
    client.on('close', () => {
      signal.removeEventListener('abort', giveUp);
      end(new SftpError('broken-off'));
    });
    client.on('change password', () => end(new SftpError('log-in-question', { detail: 'a new password' })));
    client.on('ready', () => {
      isOpening = false;
      client.sftp((error, sftp) => {
        if (error !== undefined) return end(troubleOf(error, { isOpening, serverHas }));
        const connection = new SftpConnection(client, sftp);
        over = (why) => connection.#over(why);
        opened.resolve(connection);
      });
    });
    client.connect({
      ...server,
      ...KEEPALIVE,
      algorithms: { serverHostKey: offered },
      authHandler: logIn(server, end),
      readyTimeout: connectMs,
      hostVerifier: (key: Buffer): boolean => {
        const isPinned = hostKeys.accepts(key);
        if (!isPinned) onStrangeKey(key);
        return isPinned;
      },
      debug: (line) => {
        serverHas = SERVER_HAS.exec(line)?.[1] ?? serverHas;
      },
    });
    return opened.promise;
  }

  /** Size of a file in bytes; null if there is none. */
  async sizeOf(path: string): Promise<number | null> {
    try {
      return (await this.#ask<Stats>('look', (done) => this.#sftp.stat(path, done))).size;
    } catch (error) {
      if (error instanceof SftpError && statusOf(error.cause) === STATUS_CODE.NO_SUCH_FILE) return null;
      throw error;
    }
  }

  async names(folder: string): Promise<string[]> {
    const entries = await this.#ask<FileEntry[]>('list', (done) => this.#sftp.readdir(folder, done));
    return entries.map(({ filename }) => filename);
  }

  /** Writes a new file, with one chunk of content in memory at a time. Returns its size in bytes. */
  async write(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
    const handle = await this.#ask<Buffer>('write', (done) => this.#sftp.open(path, 'w', done));
    let size = 0;
    for await (const chunk of readable(content)) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const pieces: Promise<unknown>[] = [];
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const [from, length] = [at, Math.min(PIECE_BYTES, bytes.length - at)];
        const position = size + from;
        pieces.push(
          this.#ask('write', (done) => this.#sftp.write(handle, bytes, from, length, position, answered(done))),
        );
      }
      await Promise.all(pieces);
      size += bytes.length;
    }
    await this.#ask('write', (done) => this.#sftp.close(handle, answered(done)));
    return size;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#ask('rename', (done) => this.#sftp.rename(from, to, answered(done)));
  }

  async remove(path: string): Promise<void> {
    await this.#ask('remove', (done) => this.#sftp.unlink(path, answered(done)));
  }

  /** Ends the session; the server closes open files. */
  close(): void {
    this.#client.end();
  }

  async #ask<T>(step: SftpStep, question: (done: Done<T>) => void): Promise<T> {
    if (this.#end !== null) throw this.#end;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#unanswered.add(reject);
    try {
      question((error, answer) => (error instanceof Error ? reject(refusalOf(step, error)) : resolve(answer)));
      return await promise;
    } finally {
      this.#unanswered.delete(reject);
    }
  }

  /** The first error counts; open requests will not be answered. */
  #over(error: SftpError): void {
    this.#end ??= error;
    for (const reject of this.#unanswered) reject(this.#end);
  }
}

/** Tries the ways of showing the password; `end` gets the reason if there is none left. */
function logIn(
  { username, password }: Pick<SftpServer, 'username' | 'password'>,
  end: (error: SftpError) => void,
): AuthHandlerMiddleware {
  const tried: LogInMethod[] = [];
  let hasAnswered = false;
  const methods: Readonly<Record<LogInMethod, AnyAuthMethod>> = {
    none: { type: 'none', username },
    password: { type: 'password', username, password },
    'keyboard-interactive': {
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts, answer) => {
        if (!asksForPassword(prompts, hasAnswered)) {
          return end(new SftpError('log-in-question', { detail: describePrompts(prompts, hasAnswered) }));
        }
        hasAnswered = true;
        answer([password]);
      },
    },
  };
  return (left, isPartial, next) => {
    // The first call has no answer of the server, whatever its types say.
    const isFirst = tried.length === 0;
    const step = nextMethod(tried, isFirst ? null : { left: left ?? [], isPartial });
    if ('end' in step) return end(new SftpError(step.end, { detail: `the server lists: ${left.join(', ')}` }));
    tried.push(step.method);
    next(methods[step.method]);
  };
}

async function* readable(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw new SftpError('content', { cause: error });
  }
}

function troubleOf(
  error: Error & ClientErrorExtensions,
  { isOpening, serverHas }: { readonly isOpening: boolean; readonly serverHas: string },
): SftpError {
  const cause = error;
  if (error.level === 'client-timeout') return new SftpError('timeout', { cause });
  if (!isOpening) return new SftpError('broken-off', { cause });
  const isWithout = error.message.startsWith('Handshake failed: no matching');
  if (isWithout) {
    const detail = `${error.message.toLowerCase()}; the server has: ${serverHas.slice(0, MOST_CHARACTERS)}`;
    return new SftpError('no-common-algorithm', { detail, cause });
  }
  return new SftpError(statusOf(error) === KEY_EXCHANGE_FAILED ? 'no-common-algorithm' : 'unreachable', { cause });
}

/** An error with a status is the server's answer; without a status the session ended. */
function refusalOf(step: SftpStep, error: Error): SftpError {
  const status = statusOf(error);
  if (status === null) return new SftpError('broken-off', { cause: error });
  const detail = `status ${status} (${STATUS_NAMES.get(status) ?? 'unknown'})`;
  return new SftpError('refused', { step, detail, cause: error });
}

function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
}

function answered(done: Done<null>): (error?: Error | null) => void {
  return (error) => done(error, null);
}
