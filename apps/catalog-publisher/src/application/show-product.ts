import type { Commands } from '@gondola/messaging/commands';
import type { Database } from '@gondola/service-kit/database';
import type { KnownProduct } from '../domain/known-product.ts';
import { progressFromText } from '../domain/product-progress.ts';
import { operationIdsOf } from '../domain/sendings.ts';
import type { ProductsRepository } from '../outbound/products.repository.ts';

interface ShownRecord {
  readonly commandId: string;
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
  readonly deadlineAt: string | null;
  /** Why the next call could not be made yet. */
  readonly blocked: string | null;
  readonly operationIds: readonly string[];
}

export interface ShownProduct extends Omit<KnownProduct, 'unconfirmed' | 'pastOperationIds'> {
  readonly tenant: string;
  readonly externalReference: string;
  /** The oldest first; at most 50. */
  readonly open: readonly ShownRecord[];
}

const OPEN_SHOWN = 50;

/** What is known of a product, and what its open records wait for. */
export class ShowProduct {
  readonly #parts: { database: Database; commands: Commands; products: ProductsRepository };

  constructor(parts: { database: Database; commands: Commands; products: ProductsRepository }) {
    this.#parts = parts;
  }

  /** Null: no record was about such a product. */
  async show(tenant: string, externalReference: string): Promise<ShownProduct | null> {
    const { database, commands, products } = this.#parts;
    const found = await products.find(database, tenant, externalReference);
    if (found === null) return null;
    const open = await commands.heads(database, [found.laneId], OPEN_SHOWN);
    const { exists, skus, applied, sourceVersion } = found.known;
    return {
      tenant,
      externalReference,
      exists,
      skus,
      applied,
      sourceVersion,
      open: open.map(({ commandId, command, receivedAt, attempts, deadlineAt, progress }) => {
        const parsed = progressFromText(progress);
        const blocked = parsed?.blocked ?? null;
        const operationIds = parsed === null ? [] : operationIdsOf(parsed);
        return { commandId, command, receivedAt, attempts, deadlineAt, blocked, operationIds };
      }),
    };
  }
}
