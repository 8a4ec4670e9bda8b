import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileRow, Files } from '../files/files.service.ts';
import type { Store } from '../store/store.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import { mediaTypeOf, readDropPath, type DropPath } from './drop-path.ts';
import { DropRefusal } from './drop-refusal.ts';
import { IncomingFile } from './incoming-file.adapter.ts';

export interface DropServices {
  readonly store: Store;
  readonly tenants: Tenants;
  readonly files: Files;
  readonly contractFolder: string;
  readonly maxBytes: number;
}

/** An entry of a folder of the drop; the size of a folder is null. */
export interface DropEntry {
  readonly name: string;
  readonly size: number | null;
}

/** A file that is being written: placed when it is complete, or discarded. */
export interface Placing {
  readonly write: (offset: number, chunk: Buffer) => Promise<void>;
  readonly place: () => Promise<void>;
  readonly giveUp: () => Promise<void>;
}

type FilePath = Extract<DropPath, { kind: 'file' }>;

/** Most placed files in one merchant's folder. */
const MOST_PLACED = 5_000;

/**
 * The drop for images: one folder for each merchant, in which files are placed, renamed and removed. The shop does
 * not use a placed file until a call links it to a SKU, which removes it from the folder.
 */
export class PlaceFiles {
  /** Temporary folder for files that are being written. */
  private folder: Promise<string> | undefined;

  constructor(private readonly services: DropServices) {}

  /** Called when no client is connected any more. */
  async clear(): Promise<void> {
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  async entry(path: string): Promise<DropEntry> {
    const found = this.located(path);
    if (found.kind !== 'file') return { name: path, size: null };
    const { fileName: name, size } = this.placed(found);
    return { name, size };
  }

  async list(path: string): Promise<DropEntry[]> {
    const found = this.located(path);
    switch (found.kind) {
      case 'folder':
        return [{ name: found.holds, size: null }];
      case 'merchants':
        return this.services.tenants.all().map(({ contractAccountId: name }) => ({ name, size: null }));
      case 'drop': {
        const files = this.services.files.placed(found.contractAccountId);
        return files.map(({ fileName: name, size }) => ({ name, size }));
      }
      default:
        throw new DropRefusal('NO_SUCH_FILE', 'A file is no folder');
    }
  }

  /** Begins a file; when it is placed, it replaces one of the same name. */
  async begin(path: string): Promise<Placing> {
    const { contractAccountId, fileName } = this.fileAt(path);
    const { length } = this.services.files.placed(contractAccountId);
    if (length >= MOST_PLACED) throw new DropRefusal('FAILURE', `A folder takes ${MOST_PLACED} files`);
    this.folder ??= mkdtemp(join(tmpdir(), 'platform-sandbox-sftp-'));
    const incoming = await IncomingFile.create(join(await this.folder, randomUUID()), this.services.maxBytes);
    return {
      write: (offset, chunk) => incoming.write(offset, chunk),
      place: async () => {
        try {
          await this.place(contractAccountId, fileName, incoming);
        } finally {
          await incoming.discard();
        }
      },
      giveUp: () => incoming.discard(),
    };
  }

  async rename(from: string, to: string): Promise<void> {
    const target = this.fileAt(to);
    const file = this.placed(this.fileAt(from));
    const { contractAccountId, fileName } = target;
    if (file.contractAccountId !== contractAccountId) {
      throw new DropRefusal('PERMISSION_DENIED', 'A file stays in its folder');
    }
    if (this.found(target) !== undefined) throw new DropRefusal('FAILURE', 'There is a file of this name');
    const { store, files } = this.services;
    store.unit(() => files.place(contractAccountId, { ...file, fileName, mediaType: mediaTypeOf(fileName) }));
    await store.synced();
  }

  async remove(path: string): Promise<void> {
    const { store, files } = this.services;
    const file = this.placed(this.fileAt(path));
    store.unit(() => files.remove([file]));
    await store.synced();
  }

  private async place(contractAccountId: string, fileName: string, incoming: IncomingFile): Promise<void> {
    const { store, files } = this.services;
    const part = { fileName, mediaType: mediaTypeOf(fileName), content: incoming.content() };
    const file = await files.receive(part);
    store.unit(() => files.place(contractAccountId, file));
    await store.synced();
  }

  private placed(path: FilePath): FileRow {
    return this.found(path) ?? missing();
  }

  private found({ contractAccountId, fileName }: FilePath): FileRow | undefined {
    return this.services.files.placed(contractAccountId).find((file) => file.fileName === fileName);
  }

  private fileAt(path: string): FilePath {
    const found = this.located(path);
    if (found.kind === 'file') return found;
    throw new DropRefusal('PERMISSION_DENIED', 'Only files are written, in the folder Integracao');
  }

  private located(path: string): DropPath {
    const found = readDropPath(path, this.services.contractFolder);
    if (found?.contractAccountId === undefined) return found ?? missing();
    const tenant = this.services.tenants.find(found.contractAccountId);
    return tenant ? { ...found, contractAccountId: tenant.contractAccountId } : missing();
  }
}

function missing(): never {
  throw new DropRefusal('NO_SUCH_FILE', 'There is no such file or folder');
}
