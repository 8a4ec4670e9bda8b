import { createHash } from 'node:crypto';
import ssh2, { type ClientErrorExtensions, type FileEntry, type SFTPWrapper, type Stats } from 'ssh2';
import { SftpError } from './sftp-error.ts';

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Fingerprints of its allowed keys: `SHA256:…`. */
  readonly hostKeys: readonly string[];
}

export interface SftpLimits {
  /** Time limit for opening the session, in milliseconds. */
  readonly connectMs: number;
  /** Aborts the session. */
  readonly signal: AbortSignal;
}

type Done<T> = (err: Error | null | undefined, answer: T) => void;

const NO_SUCH_FILE = ssh2.utils.sftp.STATUS_CODE.NO_SUCH_FILE;
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

  static async open(server: SftpServer, { connectMs, signal }: SftpLimits): Promise<SftpConnection> {
    if (signal.aborted) throw new SftpError('given-up');
    const { hostKeys, ...login } = server;
    const client = new ssh2.Client();
    let isOpening = true;
    let over: ((error: SftpError) => void) | null = null;
    let strangeKey: string | null = null;
    const opened = Promise.withResolvers<SftpConnection>();
    const end = (error: SftpError): void => {
      opened.reject(error);
      over?.(error);
      client.destroy();
    };
    const giveUp = () => end(new SftpError('given-up'));
    signal.addEventListener('abort', giveUp, { once: true });
    client.on('error', (error) => {
      end(strangeKey === null ? troubleOf(error, isOpening) : new SftpError('host-key', strangeKey, error));
    });
    client.on('close', () => {
      signal.removeEventListener('abort', giveUp);
      end(new SftpError('broken-off'));
    });
    client.on('ready', () => {
      isOpening = false;
      client.sftp((error, sftp) => {
        if (error !== undefined) return end(troubleOf(error, false));
        const connection = new SftpConnection(client, sftp);
        over = (why) => connection.#over(why);
        opened.resolve(connection);
      });
    });
    const hostVerifier = (key: Buffer): boolean => {
      const fingerprint = fingerprintOf(key);
      if (hostKeys.includes(fingerprint)) return true;
      strangeKey = fingerprint;
      return false;
    };
    client.connect({ ...login, ...KEEPALIVE, authHandler: ['password'], readyTimeout: connectMs, hostVerifier });
    return opened.promise;
  }

  /** Size of a file in bytes; null if there is none. */
  async sizeOf(path: string): Promise<number | null> {
    try {
      return (await this.#ask<Stats>((done) => this.#sftp.stat(path, done))).size;
    } catch (error) {
      if (error instanceof SftpError && statusOf(error.cause) === NO_SUCH_FILE) return null;
      throw error;
    }
  }

  async names(folder: string): Promise<string[]> {
    const entries = await this.#ask<FileEntry[]>((done) => this.#sftp.readdir(folder, done));
    return entries.map(({ filename }) => filename);
  }

  /** Writes a new file, with one chunk of content in memory at a time. Returns its size in bytes. */
  async write(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
    const handle = await this.#ask<Buffer>((done) => this.#sftp.open(path, 'w', done));
    let size = 0;
    for await (const chunk of readable(content)) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const pieces: Promise<unknown>[] = [];
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const [from, length] = [at, Math.min(PIECE_BYTES, bytes.length - at)];
        const position = size + from;
        pieces.push(this.#ask((done) => this.#sftp.write(handle, bytes, from, length, position, answered(done))));
      }
      await Promise.all(pieces);
      size += bytes.length;
    }
    await this.#ask((done) => this.#sftp.close(handle, answered(done)));
    return size;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#ask((done) => this.#sftp.rename(from, to, answered(done)));
  }

  async remove(path: string): Promise<void> {
    await this.#ask((done) => this.#sftp.unlink(path, answered(done)));
  }

  /** Ends the session; the server closes open files. */
  close(): void {
    this.#client.end();
  }

  async #ask<T>(question: (done: Done<T>) => void): Promise<T> {
    if (this.#end !== null) throw this.#end;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#unanswered.add(reject);
    try {
      question((error, answer) => (error instanceof Error ? reject(refusalOf(error)) : resolve(answer)));
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

/** Fingerprint in the form of `ssh-keygen -l`. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

async function* readable(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw new SftpError('content', null, error);
  }
}

function troubleOf(error: Error & ClientErrorExtensions, isOpening: boolean): SftpError {
  if (error.level === 'client-authentication') return new SftpError('credentials', null, error);
  if (error.level === 'client-timeout') return new SftpError('timeout', null, error);
  return new SftpError(isOpening ? 'unreachable' : 'broken-off', null, error);
}

/** An error with a status is the server's answer; without a status the session ended. */
function refusalOf(error: Error): SftpError {
  const status = statusOf(error);
  return status === null
    ? new SftpError('broken-off', null, error)
    : new SftpError('refused', `status ${status}`, error);
}

function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
}

function answered(done: Done<null>): (error?: Error | null) => void {
  return (error) => done(error, null);
}
