import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** Contents of files by their ids. */
export interface FileContents {
  /** Number of contents, whole or begun. */
  readonly count: () => Promise<number>;
  /** Resolves once the content survives a crash. */
  readonly write: (id: string, content: AsyncIterable<Buffer>) => Promise<void>;
  readonly read: (id: string) => NodeJS.ReadableStream;
  readonly remove: (id: string) => Promise<void>;
  /** At a start: removes what a crash left behind. */
  readonly removeAllBut: (isKnown: (id: string) => boolean) => Promise<void>;
}

export function contentsInMemory(): FileContents {
  const contents = new Map<string, Buffer[]>();
  return {
    count: async () => contents.size,
    write: async (id, content) => {
      const chunks: Buffer[] = [];
      contents.set(id, chunks);
      for await (const chunk of content) chunks.push(chunk);
    },
    read: (id) => Readable.from(contents.get(id) ?? [], { objectMode: false }),
    remove: async (id) => void contents.delete(id),
    removeAllBut: async () => {},
  };
}

/** Each content is a file of the folder. */
export function contentsInFolder(folder: string): FileContents {
  return {
    count: async () => (await readdir(folder)).length,
    write: async (id, content) => {
      const file = await open(join(folder, id), 'w');
      try {
        for await (const chunk of content) await file.appendFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      const directory = await open(folder, 'r');
      await directory.sync();
      await directory.close();
    },
    read: (id) => createReadStream(join(folder, id)),
    remove: async (id) => rm(join(folder, id), { force: true }),
    removeAllBut: async (isKnown) => {
      await mkdir(folder, { recursive: true });
      for (const id of await readdir(folder)) if (!isKnown(id)) await rm(join(folder, id));
    },
  };
}
