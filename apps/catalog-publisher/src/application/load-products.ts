import type { Commands } from '@gondola/messaging/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes';
import type { Database } from '@gondola/service-kit/database';
import type { Language } from '@gondola/shared/reason-codes';
import { findCorrections } from '../domain/corrections.ts';
import { afterCorrections } from '../domain/known-product.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';
import type { ProductsRepository } from '../outbound/products.repository.ts';
import type { LoadedLane, Work } from './product-work.ts';

export interface LoadProductsParts {
  readonly database: Database;
  readonly commands: Commands;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly language: Language;
}

/** Reads what a step looks at: of each lane its oldest open record, what is known of the product, and the reports that came. */
export class LoadProducts {
  readonly #parts: LoadProductsParts;

  constructor(parts: LoadProductsParts) {
    this.#parts = parts;
  }

  async load(lanes: readonly ClaimedLane[]): Promise<{ works: Work[]; idle: LoadedLane[] }> {
    const { database, commands, products, reports, language } = this.#parts;
    const ids = lanes.map(({ id }) => id);
    const heads = new Map((await commands.heads(database, ids)).map((command) => [command.laneId, command]));
    const known = await products.load(database, ids);
    const stored = await reports.load(database, ids);
    const works: Work[] = [];
    const idle: LoadedLane[] = [];
    for (const lane of lanes) {
      const before = known.get(lane.id)!;
      const { reports: own, newestReportId } = stored.get(lane.id)!;
      const corrections = findCorrections(before.unconfirmed, own, language);
      const after = afterCorrections(before, corrections);
      const loaded = { lane, stored: before, known: after, reports: own, newestReportId, corrections };
      const command = heads.get(lane.id);
      if (command === undefined) idle.push(loaded);
      else works.push({ ...loaded, command, looked: false });
    }
    return { works, idle };
  }
}
