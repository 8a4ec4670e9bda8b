import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DropRefusal } from './drop-refusal.ts';

/**
 * A file that a client writes at offsets, several chunks at a time and in any order; stored on disk until it is
 * complete.
 */
export class IncomingFile {
  private size = 0;
  private written = 0;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly maxBytes: number,
  ) {}

  static async create(path: string, maxBytes: number): Promise<IncomingFile> {
    return new IncomingFile(path, await open(path, 'wx+', 0o600), maxBytes);
  }

  async write(offset: number, chunk: Buffer): Promise<void> {
    this.size = Math.max(this.size, offset + chunk.length);
    if (this.size > this.maxBytes) throw new DropRefusal('FAILURE', `A file has at most ${this.maxBytes} bytes`);
    await this.file.write(chunk, 0, chunk.length, offset);
    this.written += chunk.length;
  }

  /** The complete content; throws if a range is missing, was written twice, or was refused. */
  content(): Readable {
    const isWhole = this.written === this.size && this.size <= this.maxBytes;
    if (!isWhole) throw new DropRefusal('FAILURE', 'The file is not whole');
    return this.file.createReadStream({ start: 0, autoClose: false });
  }

  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.path, { force: true });
  }
}
