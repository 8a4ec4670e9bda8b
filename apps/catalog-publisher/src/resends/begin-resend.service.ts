import type { LoadKey } from '@gondola/lanes/commands/load-counts';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { LoadsRepository } from '../intake/loads.repository.ts';
import type { ResendSelection } from '../records/resend.ts';
import { ResendsRepository } from './resends.repository.ts';

/** Starts a resend: stores the selected entities, which are then queued page by page. */
@Injectable()
export class BeginResend {
  constructor(
    private readonly database: Database,
    private readonly loads: LoadsRepository,
    private readonly resends: ResendsRepository,
  ) {}

  /** Returns the number of entities; 0 if none is known, and nothing starts. Null if the `loadId` is taken. */
  async run(key: LoadKey, selection: ResendSelection): Promise<number | null> {
    return this.database.transaction(async (tx) => {
      const items = await this.resends.add(tx, key, selection);
      if (items === 0) return 0;
      const isNew = await this.loads.begin(tx, {
        ...key,
        source: 'resend',
        recordKind: null,
        digest: null,
        expected: items,
      });
      return isNew ? items : null;
    });
  }
}
