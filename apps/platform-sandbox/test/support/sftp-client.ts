import { once } from 'node:events';
import ssh2, { type ConnectConfig, type FileEntry, type SFTPWrapper } from 'ssh2';

/** A client of the SFTP drop. Errors carry the message of the server. */
export class SftpClient {
  private constructor(
    private readonly client: InstanceType<typeof ssh2.Client>,
    readonly sftp: SFTPWrapper,
  ) {}

  static async connect(config: ConnectConfig): Promise<SftpClient> {
    const client = new ssh2.Client();
    const ready = once(client, 'ready');
    client.connect({ host: '127.0.0.1', ...config });
    await ready;
    client.on('error', () => {});
    const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>();
    client.sftp((err, sftp) => (err ? reject(err) : resolve(sftp)));
    return new SftpClient(client, await promise);
  }

  async names(path: string): Promise<string[]> {
    const list = await this.ask<FileEntry[]>((done) => this.sftp.readdir(path, done));
    return list.map(({ filename }) => filename);
  }

  put(path: string, content: Buffer | string): Promise<unknown> {
    return this.ask((done) => this.sftp.writeFile(path, content, (err) => done(err ?? undefined, undefined)));
  }

  rename(from: string, to: string): Promise<unknown> {
    return this.ask((done) => this.sftp.rename(from, to, (err) => done(err ?? undefined, undefined)));
  }

  remove(path: string): Promise<unknown> {
    return this.ask((done) => this.sftp.unlink(path, (err) => done(err ?? undefined, undefined)));
  }

  async size(path: string): Promise<number> {
    return (await this.ask<{ size: number }>((done) => this.sftp.stat(path, done))).size;
  }

  async ask<T>(question: (done: (err: Error | undefined, answer: T) => void) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    question((err, answer) => (err ? reject(err) : resolve(answer)));
    return promise;
  }

  /** Breaks the connection without closing anything. */
  breakOff(): void {
    this.client.destroy();
  }

  async end(): Promise<void> {
    const closed = once(this.client, 'close');
    this.client.end();
    await closed;
  }
}
