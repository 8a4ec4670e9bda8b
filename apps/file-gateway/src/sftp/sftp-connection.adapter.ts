import { createHash } from 'node:crypto';
import { isError } from '@gondola/service-kit/logging/safe-error';
import ssh2, { type ClientErrorExtensions, type FileEntry, type SFTPWrapper, type Stats } from 'ssh2';
import { SftpError } from './sftp-error.ts';

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Fingerprints of the keys that it may have: `SHA256:…`. */
  readonly hostKeys: readonly string[];
}

export interface SftpLimits {
  /** Until the session is there, in milliseconds. */
  readonly connectMs: number;
  /** Gives the session up. */
  readonly signal: AbortSignal;
}

type Done<T> = (err: Error | null | undefined, answer: T) => void;

const NO_SUCH_FILE = ssh2.utils.sftp.STATUS_CODE.NO_SUCH_FILE;
/** What every server takes in one request. */
const PIECE_BYTES = 32_768;
/** A line that is dead is noticed by questions without an answer. */
const KEEPALIVE = { keepaliveInterval: 10_000, keepaliveCountMax: 3 };

/**
 * One session with a server whose host key is pinned: the key is compared before user and password are shown (rule 34).
 * All methods throw `SftpError`.
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

  /** Bytes of a file; null where there is none. */
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

  /** Writes a file anew, one piece of content in memory at a time. Returns its bytes. */
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

  /** Whatever is open is given up by the server. */
  close(): void {
    this.#client.end();
  }

  async #ask<T>(question: (done: Done<T>) => void): Promise<T> {
    if (this.#end !== null) throw this.#end;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#unanswered.add(reject);
    try {
      question((error, answer) => (isError(error) ? reject(refusalOf(error)) : resolve(answer)));
      return await promise;
    } finally {
      this.#unanswered.delete(reject);
    }
  }

  /** The first end counts: what is still asked for will not be answered. */
  #over(error: SftpError): void {
    this.#end ??= error;
    for (const reject of this.#unanswered) reject(this.#end);
  }
}

/** As `ssh-keygen -l` writes it. */
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

/** An answer with a status is the server's; without one the session ended. */
function refusalOf(error: Error): SftpError {
  const status = statusOf(error);
  return status === null
    ? new SftpError('broken-off', null, error)
    : new SftpError('refused', `status ${status}`, error);
}

function statusOf(error: unknown): number | null {
  return isError(error) && 'code' in error && typeof error.code === 'number' ? error.code : null;
}

function answered(done: Done<null>): (error?: Error | null) => void {
  return (error) => done(error, null);
}
