import type { Tx } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { safeError } from '@gondola/service-kit/logging/safe-error';
import { type QuarantineReason, readNotification, type Receiver } from '../notifications/read-notification.ts';
import type { QuarantineEntry, QuarantineRepository } from './quarantine.repository.ts';
import type { QuarantineEntryEntity } from './quarantine-entry.entity.ts';

export interface SettleQuarantinedParts {
  readonly quarantine: QuarantineRepository;
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly logger: Logger;
  /** Something new waits to be relayed. */
  readonly onStored: () => void;
}

export type Reprocessed =
  | { readonly kind: 'stored' | 'repeated' }
  | { readonly kind: 'still-quarantined'; readonly reason: QuarantineReason; readonly detail: string };

/** Why an entry cannot be settled that way; said to whoever asked. */
export interface CannotSettle {
  readonly kind: 'conflict';
  readonly problem: string;
}

/**
 * The two ways out of the quarantine, each in one transaction, and safe to be asked for again. Null: there is no such
 * entry. Tested in quarantine.int.spec.ts.
 */
export class SettleQuarantined {
  readonly #parts: SettleQuarantinedParts;

  constructor(parts: SettleQuarantinedParts) {
    this.#parts = parts;
  }

  /** Reads the stored bytes again, by today's rules and today's tenants file. */
  async reprocess(id: string): Promise<Reprocessed | CannotSettle | null> {
    const { quarantine, logger, onStored } = this.#parts;
    const done = await quarantine.decide(id, (tx, entry) => this.#readAgain(tx, entry));
    if (done?.kind === 'stored') onStored();
    if (done !== null && done.kind !== 'conflict') {
      logger.info({ quarantineId: id, outcome: done.kind }, 'An entry of the quarantine was read again');
    }
    return done;
  }

  /** Says that it is of no use, and why; its content is kept as long as any other. */
  async discard(id: string, note: string): Promise<QuarantineEntry | CannotSettle | null> {
    const { quarantine, logger } = this.#parts;
    const done = await quarantine.decide(id, async (tx, { state }): Promise<'settled' | CannotSettle> => {
      if (state === 'reprocessed') return conflict('This entry became a notification; there is nothing to discard');
      if (state === 'open') await quarantine.settle(tx, id, 'discarded', note);
      return 'settled';
    });
    if (done !== 'settled') return done;
    logger.info({ quarantineId: id }, 'An entry of the quarantine was discarded');
    return quarantine.find(id);
  }

  async #readAgain(tx: Tx, entry: QuarantineEntryEntity): Promise<Reprocessed | CannotSettle> {
    const { id, tenant, body, state } = entry;
    if (state === 'reprocessed') return { kind: 'repeated' };
    if (state === 'discarded') return conflict('This entry was discarded; what is to be kept must be sent again');
    const receiver = this.#parts.receivers.get(tenant);
    if (receiver === undefined) return conflict(`Tenant ${tenant} is not in the tenants file; put it back first`);
    if (body === null) return conflict('The content of this entry was erased; it can only be sent again');
    const read = readNotification(receiver, body);
    if (read.kind === 'quarantine') return this.#stays(tx, id, read.quarantined.reason, read.quarantined.detail);
    try {
      const isNew = await this.#parts.quarantine.store(tx, entry, body, read.notification);
      await this.#parts.quarantine.settle(tx, id, 'reprocessed', null);
      return { kind: isNew ? 'stored' : 'repeated' };
    } catch (error) {
      if (classifyDatabaseError(error) === 'transient') throw error;
      const { code, name } = safeError(error);
      return this.#stays(tx, id, 'NOT_STORABLE', code ?? name);
    }
  }

  async #stays(tx: Tx, id: string, reason: QuarantineReason, detail: string): Promise<Reprocessed> {
    await this.#parts.quarantine.keepOpen(tx, id, reason, detail);
    return { kind: 'still-quarantined', reason, detail };
  }
}

function conflict(problem: string): CannotSettle {
  return { kind: 'conflict', problem };
}
