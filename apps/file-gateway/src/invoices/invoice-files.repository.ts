import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { InvoiceFileEntity } from './invoice-file.entity.ts';

/** A year without a command about the order's PDF. Without its row, an unchanged PDF is sent a second time. */
const KEPT = "interval '365 days'";
export const OLDEST_INVOICE_FILE = `SELECT min(updated_at) + ${KEPT} AS due FROM invoice_files`;

/** A use is noted once a day. */
const USED_EARLIER = (usedAt: string): string => `${usedAt} < clock_timestamp() - interval '1 day'`;

/** The table `invoice_files`. A row is written only while the lane of its order's invoice is held. */
@Injectable()
export class InvoiceFilesRepository {
  constructor(private readonly database: Database) {}

  async attachedSha256(tenant: string, orderId: string): Promise<string | null> {
    const files = this.database.repository(InvoiceFileEntity);
    const key = { tenant, orderId };
    await files.update({ ...key, updatedAt: Raw(USED_EARLIER) }, { updatedAt: () => 'clock_timestamp()' });
    const row = await files.findOneBy(key);
    return row?.sha256 ?? null;
  }

  async save(tx: Tx, tenant: string, orderId: string, sha256: string | null): Promise<void> {
    const files = this.database.repository(InvoiceFileEntity, tx);
    if (sha256 === null) await files.delete({ tenant, orderId });
    else await files.upsert({ tenant, orderId, sha256, updatedAt: () => 'clock_timestamp()' }, ['tenant', 'orderId']);
  }

  /** Deletes what no command has used for a year. */
  async deleteOld(): Promise<void> {
    await deleteInSteps(this.database, 'invoice_files', `updated_at < clock_timestamp() - ${KEPT}`, []);
  }
}
