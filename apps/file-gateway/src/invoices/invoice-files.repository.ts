import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { InvoiceFileEntity } from './invoice-file.entity.ts';

/**
 * The table `invoice_files`. A row is written only while the lane of its order's invoice is held, so nobody else
 * writes it.
 */

@Injectable()
export class InvoiceFilesRepository {
  constructor(private readonly database: Database) {}

  async attachedSha256(tenant: string, orderId: string): Promise<string | null> {
    const row = await this.database.repository(InvoiceFileEntity).findOneBy({ tenant, orderId });
    return row?.sha256 ?? null;
  }

  async save(tx: Tx, tenant: string, orderId: string, sha256: string | null): Promise<void> {
    const files = this.database.repository(InvoiceFileEntity, tx);
    if (sha256 === null) await files.delete({ tenant, orderId });
    else await files.upsert({ tenant, orderId, sha256, updatedAt: () => 'clock_timestamp()' }, ['tenant', 'orderId']);
  }
}
