import { PassThrough } from 'node:stream';
import type { StoredFile } from '../files/stored-file.ts';
import { DropRefusal } from './drop-refusal.ts';

/** Of the chunks that came before their turn, as clients send several at a time. */
const MOST_EARLY_BYTES = 8 * 1_048_576;

/** A file that a client writes by offsets: its bytes go on in their order, and never all of it is in memory. */
export class IncomingFile {
  private readonly content = new PassThrough();
  private readonly early = new Map<number, Buffer>();
  private readonly stored: Promise<StoredFile>;
  private earlyBytes = 0;
  private size = 0;

  /** `store` reads the content to its end, or to its error. */
  constructor(
    store: (content: AsyncIterable<Buffer>) => Promise<StoredFile>,
    private readonly maxBytes: number,
  ) {
    this.stored = store(this.content);
    // Whoever ends the file is told.
    this.stored.catch(() => {});
  }

  /** Resolves when there is room for more. */
  async write(offset: number, chunk: Buffer): Promise<void> {
    if (offset + chunk.length > this.maxBytes) this.refuse(`A file has at most ${this.maxBytes} bytes`);
    if (offset < this.size || this.early.has(offset)) this.refuse('A file is written once, from its beginning');
    this.early.set(offset, chunk);
    this.earlyBytes += chunk.length;
    const written: Promise<void>[] = [];
    for (let next = this.early.get(this.size); next !== undefined; next = this.early.get(this.size)) {
      this.early.delete(this.size);
      this.earlyBytes -= next.length;
      this.size += next.length;
      written.push(this.pass(next));
    }
    if (this.earlyBytes > MOST_EARLY_BYTES) this.refuse('The chunks of the file come too far from their order');
    await Promise.all(written);
  }

  /** Resolves when all of it is stored; throws where a part is missing, or the writing failed. */
  async end(): Promise<StoredFile> {
    if (this.early.size > 0) this.refuse('A part of the file is missing');
    this.content.end();
    return this.stored;
  }

  /** Nothing of it is stored; resolves when nothing is under way. */
  async abandon(): Promise<void> {
    this.content.destroy(new DropRefusal('FAILURE', 'The writing of the file broke off'));
    await this.stored.catch(() => {});
  }

  private async pass(chunk: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.content.write(chunk, (err) => (err ? reject(err) : resolve()));
    return promise;
  }

  private refuse(message: string): never {
    const refusal = new DropRefusal('FAILURE', message);
    this.content.destroy(refusal);
    throw refusal;
  }
}
