import type { Commands } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import type { Language } from '@gondola/shared/results/reason-codes';
import { waitingFromText } from '../domain/awaiting.ts';
import { findCorrections } from '../domain/corrections.ts';
import { afterCorrections, type KnownProduct } from '../domain/known-product.ts';
import { progressFromText } from '../domain/product-progress.ts';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { OperationsRepository } from '../outbound/operations.repository.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';
import type { ProductsRepository } from '../outbound/products.repository.ts';
import type { ProductLane } from './product-work.ts';

export interface LoadProductsParts {
  readonly tenant: string;
  readonly database: Database;
  readonly commands: Commands;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly operations: OperationsRepository;
  readonly language: Language;
}

/**
 * Reads what a step looks at: of each lane its oldest open record, what is known of the product, and the reports that
 * came.
 */
export class LoadProducts {
  readonly #parts: LoadProductsParts;

  constructor(parts: LoadProductsParts) {
    this.#parts = parts;
  }

  async load(lanes: readonly ClaimedLane[]): Promise<ProductLane[]> {
    const { database, commands, products, reports, language } = this.#parts;
    const ids = lanes.map(({ id }) => id);
    const heads = new Map((await commands.heads(database, ids)).map((command) => [command.laneId, command]));
    const known = await products.load(database, ids);
    const stored = await reports.load(database, ids);
    const operationReports = await this.#operationReports(lanes, [...heads.values()], [...known.values()]);
    return lanes.map((lane) => {
      const before = known.get(lane.id)!;
      const { reports: own, newestReportId } = stored.get(lane.id)!;
      const corrections = findCorrections(
        before.unconfirmed,
        { reports: own, operationReports },
        lane.identity,
        language,
      );
      const command = heads.get(lane.id) ?? null;
      return {
        lane,
        command,
        corrected: corrections.map(({ record, settled }) => ({ ...record, conclusion: settled.conclusion })),
        stored: before,
        known: afterCorrections(before, corrections),
        reports: own,
        newestReportId,
        operationReports,
        waiting: waitingFromText(command?.progress ?? null),
        looked: false,
        toTell: null,
      };
    });
  }

  async #operationReports(
    lanes: readonly ClaimedLane[],
    heads: readonly { readonly progress: string | null }[],
    known: readonly KnownProduct[],
  ) {
    const { operations, database, tenant } = this.#parts;
    const open = heads.flatMap(({ progress }) => progressFromText(progress) ?? []).flatMap(operationIdsOf);
    const past = known.flatMap(({ unconfirmed }) => unconfirmed).flatMap(({ operationIds }) => operationIds);
    const externalReferences = lanes.map(({ identity }) => identity);
    return operations.reports(database, tenant, {
      operationIds: [...open, ...past],
      kind: 'product',
      externalReferences,
    });
  }
}
