import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isContent } from '../store/folder-entries.ts';
import { openPrivate, syncFolder } from '../store/private-file.adapter.ts';

/** Contents of files by their ids. */
export interface FileContents {
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

/** Each content is a file of the folder, which exists once the store is open and may hold other files too. */
export function contentsInFolder(folder: string): FileContents {
  return {
    write: async (id, content) => {
      const file = await openPrivate(join(folder, id), 'replace');
      try {
        for await (const chunk of content) await file.appendFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(folder);
    },
    read: (id) => createReadStream(join(folder, id)),
    remove: async (id) => rm(join(folder, id), { force: true }),
    removeAllBut: async (isKnown) => {
      for (const name of await readdir(folder)) {
        if (isContent(name) && !isKnown(name)) await rm(join(folder, name));
      }
    },
  };
}
