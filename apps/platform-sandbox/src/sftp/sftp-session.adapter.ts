import type { Logger } from 'pino';
import ssh2, { type Attributes, type FileEntry, type SFTPWrapper } from 'ssh2';
import { normalPath } from './drop-path.ts';
import { DropRefusal } from './drop-refusal.ts';
import type { DropEntry, PlaceFiles, Placing } from './place-files.service.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
/** Most open handles of one client. */
const MOST_OPEN = 64;
const FOLDER_MODE = 0o040755;
const FILE_MODE = 0o100644;

type Handle = { readonly kind: 'folder'; entries: readonly DropEntry[] } | ({ readonly kind: 'file' } & Placing);

/** Answers one client's requests one after the other; files that the client leaves open are discarded. */
export class SftpSession {
  private readonly handles = new Map<number, Handle>();
  private lastHandle = 0;

  constructor(
    private readonly sftp: SFTPWrapper,
    private readonly drop: PlaceFiles,
    private readonly logger: Logger,
  ) {}

  serve(): void {
    const { sftp } = this;
    sftp.on('REALPATH', (id, path) => sftp.name(id, [entryOf({ name: normalPath(path), size: null })]));
    sftp.on('OPENDIR', (id, path) => this.answer(id, async () => this.open(id, await this.opened(path))));
    sftp.on('READDIR', (id, handle) => this.answer(id, async () => this.readFolder(id, this.handle(handle))));
    sftp.on('OPEN', (id, path, flags) => this.answer(id, async () => this.open(id, await this.begun(path, flags))));
    sftp.on('WRITE', (id, handle, offset, data) => this.done(id, () => this.file(handle).write(offset, data)));
    sftp.on('CLOSE', (id, handle) => this.done(id, () => this.close(handle)));
    sftp.on('REMOVE', (id, path) => this.done(id, () => this.drop.remove(path)));
    sftp.on('RENAME', (id, from, to) => this.done(id, () => this.drop.rename(from, to)));
    // Permissions and times of a file are accepted and ignored, because clients set them.
    sftp.on('SETSTAT', (id, path) => this.done(id, () => this.drop.entry(path)));
    sftp.on('FSETSTAT', (id, handle) => this.done(id, async () => this.handle(handle)));
    for (const event of ['STAT', 'LSTAT'] as const) {
      sftp.on(event as 'STAT', (id, path) =>
        this.answer(id, async () => sftp.attrs(id, attributes(await this.drop.entry(path)))),
      );
    }
    sftp.on('close', () => void this.abandon());
  }

  private async opened(path: string): Promise<Handle> {
    return { kind: 'folder', entries: await this.drop.list(path) };
  }

  private async begun(path: string, flags: number): Promise<Handle> {
    if ((flags & OPEN_MODE.WRITE) === 0 || (flags & OPEN_MODE.APPEND) !== 0) {
      throw new DropRefusal('PERMISSION_DENIED', 'Files are placed here, and neither read nor continued');
    }
    if (this.handles.size >= MOST_OPEN)
      throw new DropRefusal('FAILURE', `A client has ${MOST_OPEN} files open at most`);
    return { kind: 'file', ...(await this.drop.begin(path)) };
  }

  private open(id: number, handle: Handle): void {
    this.lastHandle += 1;
    this.handles.set(this.lastHandle, handle);
    const name = Buffer.alloc(4);
    name.writeUInt32BE(this.lastHandle);
    this.sftp.handle(id, name);
  }

  /** Returns all names at once, and then the end of the list. */
  private readFolder(id: number, handle: Handle): void {
    const entries = handle.kind === 'folder' ? handle.entries : [];
    if (entries.length === 0) return this.sftp.status(id, STATUS_CODE.EOF);
    if (handle.kind === 'folder') handle.entries = [];
    return this.sftp.name(id, entries.map(entryOf));
  }

  private async close(name: Buffer): Promise<void> {
    const handle = this.handle(name);
    this.handles.delete(name.readUInt32BE());
    if (handle.kind === 'file') await handle.place();
  }

  private async abandon(): Promise<void> {
    for (const handle of this.handles.values()) if (handle.kind === 'file') await handle.giveUp();
    this.handles.clear();
  }

  private handle(name: Buffer): Handle {
    const handle = name.length === 4 ? this.handles.get(name.readUInt32BE()) : undefined;
    if (handle === undefined) throw new DropRefusal('FAILURE', 'Nothing is open under this handle');
    return handle;
  }

  private file(name: Buffer): Extract<Handle, { kind: 'file' }> {
    const handle = this.handle(name);
    if (handle.kind !== 'file') throw new DropRefusal('FAILURE', 'A folder is not written');
    return handle;
  }

  private done(id: number, act: () => Promise<unknown>): void {
    this.answer(id, async () => {
      await act();
      this.sftp.status(id, STATUS_CODE.OK);
    });
  }

  private answer(id: number, act: () => Promise<void>): void {
    act().catch((err: unknown) => {
      if (err instanceof DropRefusal) return this.sftp.status(id, STATUS_CODE[err.status], err.message);
      this.logger.error({ err }, 'The SFTP server failed at a request');
      return this.sftp.status(id, STATUS_CODE.FAILURE);
    });
  }
}

function attributes({ size }: DropEntry): Attributes {
  return { mode: size === null ? FOLDER_MODE : FILE_MODE, uid: 0, gid: 0, size: size ?? 0, atime: 0, mtime: 0 };
}

function entryOf(entry: DropEntry): FileEntry {
  const kind = entry.size === null ? 'drwxr-xr-x' : '-rw-r--r--';
  const longname = `${kind} 1 0 0 ${entry.size ?? 0} Jan 1 00:00 ${entry.name}`;
  return { filename: entry.name, longname, attrs: attributes(entry) };
}
