import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { SkuEntity } from './sku.entity.ts';

export interface KnownSku {
  readonly tenant: string;
  readonly externalReference: string;
  /** False: a tombstone deleted it. */
  readonly exists: boolean;
}

/** The table `skus`: SKUs on the platform, as catalog-publisher publishes them. */
@Injectable()
export class SkusRepository {
  constructor(private readonly database: Database) {}

  async isKnown(tenant: string, externalReference: string): Promise<boolean> {
    return this.database.repository(SkuEntity).existsBy({ tenant, externalReference });
  }

  /** The references that are SKUs, in no order. */
  async knownOf(tenant: string, externalReferences: readonly string[]): Promise<string[]> {
    const found = await this.database
      .repository(SkuEntity)
      .findBy({ tenant, externalReference: In(externalReferences) });
    return found.map(({ externalReference }) => externalReference);
  }

  async save(tx: Tx, skus: readonly KnownSku[]): Promise<void> {
    const newest = newestOfEach(skus);
    await tx.query(
      `INSERT INTO skus (tenant, external_reference)
       SELECT * FROM unnest($1::text[], $2::text[]) AS k (tenant, external_reference)
       ORDER BY k.tenant COLLATE "C", k.external_reference COLLATE "C"
       ON CONFLICT (tenant, external_reference) DO UPDATE SET updated_at = clock_timestamp()`,
      columnsOf(newest.filter(({ exists }) => exists)),
    );
    await tx.query(
      `DELETE FROM skus USING unnest($1::text[], $2::text[]) AS k (tenant, external_reference)
       WHERE skus.tenant = k.tenant AND skus.external_reference = k.external_reference`,
      columnsOf(newest.filter(({ exists }) => !exists)),
    );
  }
}

/** One statement cannot write a row twice, so the last of several records of a SKU counts. */
function newestOfEach(skus: readonly KnownSku[]): KnownSku[] {
  return [...new Map(skus.map((sku) => [`${sku.tenant}/${sku.externalReference}`, sku])).values()];
}

function columnsOf(skus: readonly KnownSku[]): [string[], string[]] {
  return [skus.map(({ tenant }) => tenant), skus.map(({ externalReference }) => externalReference)];
}
