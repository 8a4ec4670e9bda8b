import { Database } from '@gondola/service-kit/database/database';
import { CONFIG } from '@gondola/service-kit/run/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';
import { FileStore } from '../files/file-store.service.ts';
import { FilesRepository } from '../files/files.repository.ts';
import type { StoredFile } from '../files/stored-file.ts';
import { TenantsRepository } from '../tenants/tenants.repository.ts';
import { storable } from '../values/storable-text.ts';
import { mediaTypeOf, readDropPath, type DropPath } from './drop-path.ts';
import { DropRefusal } from './drop-refusal.ts';
import { IncomingFile } from './incoming-file.adapter.ts';

/** A name in a folder of the drop; the size of a folder is null. */
export interface DropEntry {
  readonly name: string;
  readonly size: number | null;
}

/** A file that is being written, and is placed when all of it is there. */
export interface Placing {
  readonly incoming: IncomingFile;
  readonly place: () => Promise<void>;
}

type FilePath = Extract<DropPath, { kind: 'file' }>;

/** In one merchant's folder. */
const MOST_PLACED = 5_000;

/**
 * The drop for images: one folder for each merchant, in which files are placed, renamed and removed. A placed file is
 * nothing to the shop until a call links it to a SKU, and has left the folder then.
 */
@Injectable()
export class PlaceFiles {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsRepository,
    private readonly files: FilesRepository,
    private readonly store: FileStore,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

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

  /** Replaces a file of the same name when it is placed. */
  async begin(path: string): Promise<Placing> {
    const { contractAccountId, fileName } = await this.fileAt(path);
    const { length } = await this.files.placed({ contractAccountId });
    if (length >= MOST_PLACED) throw new DropRefusal('FAILURE', `A folder takes ${MOST_PLACED} files`);
    const incoming = new IncomingFile(
      (content) => this.receive(contractAccountId, fileName, content),
      this.config.sftp?.maxBytes ?? 0,
    );
    const place = async (): Promise<void> => {
      const { id } = await incoming.end();
      await this.database.transaction(async (tx) => {
        await this.files.remove(await this.files.placed({ contractAccountId, fileName }, tx), tx);
        await this.files.place(id, fileName, tx);
      });
    };
    return { incoming, place };
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
      await this.files.place(file.id, fileName, tx);
    });
  }

  async remove(path: string): Promise<void> {
    await this.files.remove([await this.placed(await this.fileAt(path))]);
  }

  private async receive(account: string, fileName: string, content: AsyncIterable<Buffer>): Promise<StoredFile> {
    const begun: { id: string }[] = [];
    try {
      const part = { fileName, mediaType: mediaTypeOf(fileName), content };
      return await this.store.receive(account, part, (id) => begun.push({ id }));
    } catch (err) {
      await this.files.remove(begun);
      throw err;
    }
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
