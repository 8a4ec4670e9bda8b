import { statfs } from 'node:fs/promises';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';

/** Free space of PostgreSQL's disk, where `UPLOAD_DISK` names a folder on it. */
@Injectable()
export class FreeSpace {
  readonly #disk: string | null;

  constructor(@Inject(CONFIG) { uploads }: { readonly uploads: Pick<Config['uploads'], 'disk'> }) {
    this.#disk = uploads.disk;
  }

  /** Null if this app does not see the disk. */
  async bytes(): Promise<number | null> {
    if (this.#disk === null) return null;
    const { bavail, bsize } = await statfs(this.#disk);
    return bavail * bsize;
  }
}
