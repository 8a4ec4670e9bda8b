import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '@gondola/service-kit/database/database';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';
import { FileStore } from '../files/file-store.service.ts';
import { FilesRepository } from '../files/files.repository.ts';
import { TenantsRepository } from '../tenants/tenants.repository.ts';
import { storable } from '../values/storable-text.ts';
import { mediaTypeOf, readDropPath, type DropPath } from './drop-path.ts';
import { DropRefusal } from './drop-refusal.ts';
import { IncomingFile } from './incoming-file.adapter.ts';

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
@Injectable()
export class PlaceFiles {
  /** Temporary folder for files that are being written. */
  private folder: Promise<string> | undefined;

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsRepository,
    private readonly files: FilesRepository,
    private readonly store: FileStore,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

  /** Called when no client is connected any more. */
  async clear(): Promise<void> {
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  async entry(path: string): Promise<DropEntry> {
    const found = await this.located(path);
    if (found.kind !== 'file') return { name: path, size: null };
    const { fileName: name, size } = await this.placed(found);
    return { name, size };
  }

  async list(path: string): Promise<DropEntry[]> {
    const found = await this.located(path);
    switch (found.kind) {
      case 'folder':
        return [{ name: found.holds, size: null }];
      case 'merchants':
        return (await this.tenants.all()).map(({ contractAccountId: name }) => ({ name, size: null }));
      case 'drop': {
        const files = await this.files.placed({ contractAccountId: found.contractAccountId });
        return files.map(({ fileName: name, size }) => ({ name, size }));
      }
      default:
        throw new DropRefusal('NO_SUCH_FILE', 'A file is no folder');
    }
  }

  /** Begins a file; when it is placed, it replaces one of the same name. */
  async begin(path: string): Promise<Placing> {
    const { contractAccountId, fileName } = await this.fileAt(path);
    const { length } = await this.files.placed({ contractAccountId });
    if (length >= MOST_PLACED) throw new DropRefusal('FAILURE', `A folder takes ${MOST_PLACED} files`);
    this.folder ??= mkdtemp(join(tmpdir(), 'platform-sandbox-sftp-'));
    const incoming = await IncomingFile.create(join(await this.folder, randomUUID()), this.config.sftp?.maxBytes ?? 0);
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
    const target = await this.fileAt(to);
    const file = await this.placed(await this.fileAt(from));
    if (file.contractAccountId !== target.contractAccountId) {
      throw new DropRefusal('PERMISSION_DENIED', 'A file stays in its folder');
    }
    await this.database.transaction(async (tx) => {
      const { contractAccountId, fileName } = target;
      const [other] = await this.files.placed({ contractAccountId, fileName }, tx);
      if (other !== undefined) throw new DropRefusal('FAILURE', 'There is a file of this name');
      await this.files.place(file.id, { fileName, mediaType: mediaTypeOf(fileName) }, tx);
    });
  }

  async remove(path: string): Promise<void> {
    await this.files.remove([await this.placed(await this.fileAt(path))]);
  }

  private async place(contractAccountId: string, fileName: string, incoming: IncomingFile): Promise<void> {
    const part = { fileName, mediaType: mediaTypeOf(fileName), content: incoming.content() };
    // The next start deletes half-received files.
    const { id } = await this.store.receive(contractAccountId, part, () => {});
    await this.database.transaction(async (tx) => {
      await this.files.remove(await this.files.placed({ contractAccountId, fileName }, tx), tx);
      await this.files.place(id, { fileName, mediaType: part.mediaType }, tx);
    });
  }

  private async placed({ contractAccountId, fileName }: FilePath) {
    const [file] = await this.files.placed({ contractAccountId, fileName });
    return file ?? missing();
  }

  private async fileAt(path: string): Promise<FilePath> {
    const found = await this.located(path);
    if (found.kind === 'file') return found;
    throw new DropRefusal('PERMISSION_DENIED', 'Only files are written, in the folder Integracao');
  }

  private async located(path: string): Promise<DropPath> {
    const found = readDropPath(storable(path), this.config.sftp?.contractFolder ?? '');
    if (found?.contractAccountId === undefined) return found ?? missing();
    const tenant = await this.tenants.find(found.contractAccountId);
    return tenant ? { ...found, contractAccountId: tenant.contractAccountId } : missing();
  }
}

function missing(): never {
  throw new DropRefusal('NO_SUCH_FILE', 'There is no such file or folder');
}
