import { LoneWorker, type LoneWorkerOptions } from '@gondola/operations/testing/lone-worker';
import { messagingEntities as entities } from '@gondola/lanes/messaging-tables';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { CATALOG_COMMAND_REPORT } from '../../src/lanes/catalog.metrics.ts';
import { catalogMigrations as migrations } from '../../src/database.schema.ts';
import { CATALOG_TOPICS, type CatalogKind } from '../../src/records/catalog-kinds.ts';
import { LanesModule } from '../../src/lanes.module.ts';
import { ProductReportsRepository } from '../../src/notifications/product-reports.repository.ts';

/** The workers of the catalog's lanes, with what their consumers would store. */
export class LoneCatalogWorker extends LoneWorker {
  static async create(options: LoneWorkerOptions): Promise<LoneCatalogWorker> {
    const assumed = new Map([[options.tenant, { brand: new Set<string>(), category: new Set<string>() }]]);
    const app = {
      name: 'catalog-publisher',
      database: { entities, migrations },
      lanes: LanesModule,
      report: CATALOG_COMMAND_REPORT,
      config: { assumed, comparison: { readsPerSecond: 100 }, times: { lostAnswerMs: 300 } },
    };
    return new LoneCatalogWorker(await LoneWorker.open(app, options), options.tenant);
  }

  async storeRecords(
    kind: CatalogKind,
    records: readonly (JsonRecord & { readonly externalReference: string })[],
  ): Promise<void> {
    const commands = records.map((record) => ({
      lane: { tenant: this.tenant, kind, identity: record.externalReference },
      topic: CATALOG_TOPICS[kind],
      commandId: typeof record['recordId'] === 'string' ? record['recordId'] : `r-${record.externalReference}`,
      command: 'upsert',
      value: Buffer.from(JSON.stringify(record)),
    }));
    await this.queue(...commands);
  }

  async storeReport(externalReference: string, operationId: string, data: object): Promise<void> {
    const dedupKey = `${operationId}/${externalReference}`;
    const report = { dedupKey, operationId, eventType: 'any', data: Buffer.from(JSON.stringify(data)) };
    await this.wake({ tenant: this.tenant, kind: 'product', identity: externalReference }, (tx, laneId) =>
      this.get(ProductReportsRepository).insert(tx, [{ ...report, laneId }]),
    );
  }

  results(): Promise<Record<string, unknown>[]> {
    return this.published('erp.catalog.results.v1');
  }
}
