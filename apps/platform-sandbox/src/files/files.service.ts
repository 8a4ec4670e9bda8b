import { createHash } from 'node:crypto';
import type { Store, Table } from '../store/store.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { FileContents } from './file-contents.adapter.ts';
import type { AttachedFile, Attachment, FileType, StoredFile } from './stored-file.ts';

/**
 * An uploaded file whose content is stored: `placed` by SFTP until a call links it; `accepted` by a form until the core
 * has taken it; then `attached` to an entity. Only then the attachment is set.
 */
export interface FileRow extends StoredFile {
  readonly seq: number;
  readonly contractAccountId: string;
  readonly state: 'placed' | 'accepted' | 'attached';
  readonly attachment: Attachment | null;
}

/** Selects files of one merchant; absent keys select any. */
export interface FileFilter {
  readonly entityId?: string;
  readonly externalReference?: string;
  readonly fileType?: FileType;
}

/** Files and their contents. A content that no row names any more is removed after the change is stored. */
export class Files {
  readonly table: Table<string, FileRow>;
  /** Ids of attached and of placed files. */
  private readonly byEntity = new Index();
  private readonly byReference = new Index();
  private readonly byFolder = new Index();

  constructor(
    private readonly services: { readonly store: Store; readonly ids: Ids; readonly contents: FileContents },
  ) {
    this.table = services.store.table('files');
    this.table.watch((id, after, before) => {
      if (before) this.list(before, (index, key) => index.remove(key, id));
      if (after) this.list(after, (index, key) => index.add(key, id));
    });
  }

  async start(): Promise<void> {
    await this.services.contents.removeAllBut((id) => this.table.has(id));
  }

  /** Stores the stream's content; the caller accepts, places or discards the file. */
  async receive(
    { fileName, mediaType, content }: { fileName: string; mediaType: string; content: AsyncIterable<Buffer> },
    onBegun: (id: string) => void = () => {},
  ): Promise<StoredFile> {
    const id = this.services.ids.newGuid();
    onBegun(id);
    const hash = createHash('sha256');
    let size = 0;
    const counted = async function* counted(): AsyncIterable<Buffer> {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    await this.services.contents.write(id, counted());
    return { id, fileName, mediaType, size, sha256: hash.digest('hex') };
  }

  /** Removes contents of files that have no row. */
  async discard(files: readonly Pick<StoredFile, 'id'>[]): Promise<void> {
    for (const { id } of files) await this.services.contents.remove(id);
  }

  /** The file belongs to an operation that is queued in the same unit of work. */
  accept(contractAccountId: string, file: StoredFile): void {
    this.put(contractAccountId, file, 'accepted');
  }

  /** Places a file in its merchant's folder, where it replaces one of the same name. */
  place(contractAccountId: string, file: StoredFile): void {
    const before = this.placed(contractAccountId).filter(({ fileName }) => fileName === file.fileName);
    this.remove(before.filter(({ id }) => id !== file.id));
    this.put(contractAccountId, file, 'placed');
  }

  attach(id: string, attachment: Attachment): void {
    const file = this.table.get(id);
    if (file) this.table.put(id, { ...file, state: 'attached', attachment });
  }

  /** Sorted by name. */
  placed(contractAccountId: string): FileRow[] {
    return this.rows(this.byFolder.of(contractAccountId)).toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
  }

  remove(files: readonly Pick<StoredFile, 'id'>[]): void {
    for (const { id } of files) this.table.delete(id);
    if (files.length > 0) void this.services.store.synced().then(() => this.discardGone(files));
  }

  find(id: string): AttachedFile | undefined {
    const row = this.table.get(id);
    return row && attached(row);
  }

  /** The main image first, then in the order of arrival. */
  attached(contractAccountId: string, filter: FileFilter): AttachedFile[] {
    const { entityId, externalReference = '', fileType } = filter;
    const ids = entityId !== undefined ? this.byEntity.of(entityId) : this.byReference.of(externalReference);
    return this.rows(ids)
      .filter((row) => row.contractAccountId === contractAccountId)
      .toSorted((a, b) => orderOf(a) - orderOf(b) || a.seq - b.seq)
      .flatMap((row) => attached(row) ?? [])
      .filter((file) => fileType === undefined || file.fileType === fileType);
  }

  read(id: string): NodeJS.ReadableStream {
    return this.services.contents.read(id);
  }

  private put(contractAccountId: string, file: StoredFile, state: FileRow['state']): void {
    const seq = this.table.get(file.id)?.seq ?? this.services.store.next('files');
    const { id, fileName, mediaType, size, sha256 } = file;
    this.table.put(id, { id, fileName, mediaType, size, sha256, seq, contractAccountId, state, attachment: null });
  }

  private async discardGone(files: readonly Pick<StoredFile, 'id'>[]): Promise<void> {
    await this.discard(files.filter(({ id }) => !this.table.has(id)));
  }

  private rows(ids: Iterable<string>): FileRow[] {
    return [...ids].flatMap((id) => this.table.get(id) ?? []);
  }

  private list(row: FileRow, act: (index: Index, key: string) => void): void {
    if (row.state === 'placed') act(this.byFolder, row.contractAccountId);
    if (row.attachment === null) return;
    act(this.byEntity, row.attachment.entityId);
    act(this.byReference, row.attachment.externalReference);
  }
}

/** Ids by a key. */
class Index {
  private readonly entries = new Map<string, Set<string>>();

  of(key: string): Iterable<string> {
    return this.entries.get(key) ?? [];
  }

  add(key: string, id: string): void {
    const ids = this.entries.get(key) ?? new Set();
    this.entries.set(key, ids.add(id));
  }

  remove(key: string, id: string): void {
    const ids = this.entries.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.entries.delete(key);
  }
}

function attached({ id, fileName, mediaType, size, sha256, attachment }: FileRow): AttachedFile | undefined {
  return attachment === null ? undefined : { id, fileName, mediaType, size, sha256, ...attachment };
}

function orderOf({ attachment }: FileRow): number {
  return attachment?.displayOrder ?? Number.MAX_SAFE_INTEGER;
}
