import { type Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import type { ReferenceWaitsRepository } from '../outbound/reference-waits.repository.ts';

export interface WakeWaitingParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly referenceWaits: ReferenceWaitsRepository;
  /** Has the workers of this process look. */
  readonly wake: () => void;
}

/**
 * Wakes the lanes that wait for references which are known by now. It runs after the transaction that made them known,
 * in one of its own that locks nothing but the woken lanes. If a crash comes between, the next step in the reference's
 * lane does it: that one is due at once.
 */
export class WakeWaiting {
  readonly #parts: WakeWaitingParts;

  constructor(parts: WakeWaitingParts) {
    this.#parts = parts;
  }

  async wake(tenant: string, kind: ReferenceKind, references: readonly string[]): Promise<void> {
    if (references.length === 0) return;
    const { database, lanes, referenceWaits, wake } = this.#parts;
    const ripe = await referenceWaits.ripe(database, tenant, kind, references);
    if (ripe.length === 0) return;
    await database.transaction(async (tx) => {
      const ids = await lanes.wake(tx, ripe);
      const laneIds = ripe.map((lane) => ids.get(laneText(lane))!);
      await referenceWaits.forget(tx, laneIds, kind, references);
    });
    wake();
  }
}
