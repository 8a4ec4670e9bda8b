import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Database } from '@gondola/service-kit/database/database';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';
import { Ids } from '../runtime/ids.service.ts';
import { FileEntity, FilePieceEntity } from './file.entity.ts';
import type { StoredFile } from './stored-file.ts';

const PIECE_BYTES = 512 * 1024;

/**
 * Stores file contents in the database, with at most two pieces of a file in memory. The next start deletes
 * half-received files.
 */
@Injectable()
export class FileStore implements Startable {
  readonly name = 'files';

  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {}

  async start(): Promise<void> {
    await this.database.repository(FileEntity).delete({ state: 'receiving' });
  }

  async stop(): Promise<void> {}

  /** Stores the stream's content; the caller discards the file if its call fails. */
  async receive(
    contractAccountId: string,
    { fileName, mediaType, content }: { fileName: string; mediaType: string; content: AsyncIterable<Buffer> },
    onBegun: (id: string) => void,
  ): Promise<StoredFile> {
    const id = this.ids.newGuid();
    await this.database.repository(FileEntity).insert({ id, contractAccountId, fileName, mediaType });
    onBegun(id);
    const hash = createHash('sha256');
    let size = 0;
    let position = 0;
    for await (const piece of pieces(content)) {
      hash.update(piece);
      size += piece.length;
      await this.database.repository(FilePieceEntity).insert({ fileId: id, position, content: piece });
      position += 1;
    }
    const sha256 = hash.digest('hex');
    await this.database.repository(FileEntity).update({ id }, { size, sha256 });
    return { id, fileName, mediaType, size, sha256 };
  }

  read(id: string): Readable {
    return Readable.from(this.contentOf(id), { objectMode: false });
  }

  private async *contentOf(id: string): AsyncIterable<Buffer> {
    for (let position = 0; ; position += 1) {
      const piece = await this.database.repository(FilePieceEntity).findOneBy({ fileId: id, position });
      if (piece === null) return;
      yield piece.content;
    }
  }
}

/** Splits the bytes into pieces of one size; the last one is shorter. */
async function* pieces(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
