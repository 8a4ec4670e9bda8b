import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { KnownSku, SkuStore } from '../application/file-stores.ts';
import { SkuEntity } from './sku.entity.ts';

/** The table `skus`: those that the platform has, as catalog-publisher tells them. */
export class SkusRepository implements SkuStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async isKnown(tenant: string, externalReference: string): Promise<boolean> {
    return this.#database.repository(SkuEntity).existsBy({ tenant, externalReference });
  }

  async save(tx: Tx, skus: readonly KnownSku[]): Promise<void> {
    const news = newestOfEach(skus);
    await tx.query(
      `INSERT INTO skus (tenant, external_reference)
       SELECT * FROM unnest($1::text[], $2::text[]) AS k (tenant, external_reference)
       ORDER BY k.tenant COLLATE "C", k.external_reference COLLATE "C"
       ON CONFLICT (tenant, external_reference) DO UPDATE SET told_at = clock_timestamp()`,
      columnsOf(news.filter(({ exists }) => exists)),
    );
    await tx.query(
      `DELETE FROM skus USING unnest($1::text[], $2::text[]) AS k (tenant, external_reference)
       WHERE skus.tenant = k.tenant AND skus.external_reference = k.external_reference`,
      columnsOf(news.filter(({ exists }) => !exists)),
    );
  }
}

/** One statement may not write a row twice: of several records of a SKU the last one counts. */
function newestOfEach(skus: readonly KnownSku[]): KnownSku[] {
  return [...new Map(skus.map((sku) => [`${sku.tenant}/${sku.externalReference}`, sku])).values()];
}

function columnsOf(skus: readonly KnownSku[]): [string[], string[]] {
  return [skus.map(({ tenant }) => tenant), skus.map(({ externalReference }) => externalReference)];
}
