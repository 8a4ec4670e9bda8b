import type { LoadKey } from '@gondola/messaging/commands/load-counts';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { LoadsRepository } from '../loads/loads.repository.ts';
import type { ResendSelection } from './resend.ts';
import { ResendsRepository } from './resends.repository.ts';

/** Begins to send again what the shop is known to have: what that is, is written down; it goes bit by bit. */
@Injectable()
export class BeginResend {
  constructor(
    private readonly database: Database,
    private readonly loads: LoadsRepository,
    private readonly resends: ResendsRepository,
  ) {}

  /** How much is sent again; 0, and nothing has begun, where nothing is known of it. Null: the load's name is taken. */
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
