import type { Alongside } from '@gondola/lanes/jobs/bulk-target';
import type { Tx } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { safeError } from '@gondola/service-kit/logging/safe-error';
import { type QuarantineReason, readNotification } from '../notifications/read-notification.ts';
import type { Config } from '../config.ts';
import { NotificationRelay } from '../relay/notification-relay.service.ts';
import { QuarantineRepository } from './quarantine.repository.ts';
import type { Reprocessed, ReprocessedEntries, ReprocessRequest } from './quarantine.dto.ts';
import type { QuarantineEntryEntity } from './quarantine-entry.entity.ts';

/** Reason why an entry cannot be settled as requested. */
export interface CannotSettle {
  readonly outcome: 'conflict';
  readonly problem: string;
}

/**
 * Reads a quarantine entry again or discards it, each in one transaction that is safe to repeat. Null: there is no
 * such entry. Tested in quarantine.int.spec.ts.
 */
@Injectable()
export class SettleQuarantined {
  constructor(
    private readonly quarantine: QuarantineRepository,
    private readonly relay: NotificationRelay,
    @Inject(CONFIG) private readonly config: Pick<Config, 'receivers'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reads the stored bytes again by today's rules and tenants file; `alongside` hears whether they were understood. */
  async reprocess(id: string, alongside?: Alongside): Promise<Reprocessed | CannotSettle | null> {
    const done = await this.quarantine.decide(id, async (tx, entry) => {
      const result = await this.#readAgain(tx, entry);
      await alongside?.(tx, result.outcome === 'stored' || result.outcome === 'repeated');
      return result;
    });
    if (done?.outcome === 'stored') this.relay.wake();
    if (done !== null && done.outcome !== 'conflict') {
      this.logger.info({ quarantineId: id, outcome: done.outcome }, 'An entry of the quarantine was read again');
    }
    return done;
  }

  /**
   * Reads open entries again, each in its own transaction: the oldest first, so that an entity's notifications are
   * stored in the order of arrival.
   */
  async reprocessAll(request: ReprocessRequest): Promise<ReprocessedEntries> {
    const { after, limit } = request;
    const ids = await this.quarantine.openIds(request, after, limit + 1);
    const counts = { stored: 0, repeated: 0 };
    const failed: ReprocessedEntries['failed'][number][] = [];
    for (const id of ids.slice(0, limit)) {
      const done = await this.reprocess(id);
      if (done?.outcome === 'conflict') failed.push({ id, reason: null, detail: done.problem });
      else if (done?.outcome === 'still-quarantined') failed.push({ id, reason: done.reason!, detail: done.detail! });
      else if (done !== null) counts[done.outcome] += 1;
    }
    return { ...counts, failed, next: ids.length > limit ? ids[limit - 1]! : null };
  }

  /** Discards a useless entry with a note; its content is stored as long as any other. */
  async discard(id: string, note: string, alongside?: Alongside): Promise<QuarantineEntryEntity | CannotSettle | null> {
    const done = await this.quarantine.decide(id, async (tx, { state }): Promise<'settled' | CannotSettle> => {
      await alongside?.(tx, state === 'open');
      if (state === 'reprocessed') return conflict('This entry became a notification; there is nothing to discard');
      if (state === 'open') await this.quarantine.settle(tx, id, 'discarded', note);
      return 'settled';
    });
    if (done !== 'settled') return done;
    this.logger.info({ quarantineId: id }, 'An entry of the quarantine was discarded');
    return this.quarantine.find(id);
  }

  async #readAgain(tx: Tx, entry: QuarantineEntryEntity): Promise<Reprocessed | CannotSettle> {
    const { id, tenant, body, state } = entry;
    if (state === 'reprocessed') return { outcome: 'repeated' };
    if (state === 'discarded') return conflict('This entry was discarded; it can only be sent again');
    const receiver = this.config.receivers.get(tenant);
    if (receiver === undefined) return conflict(`Tenant ${tenant} is not in the tenants file; put it back first`);
    if (body === null) return conflict('The content of this entry was erased; it can only be sent again');
    const read = readNotification(receiver, body);
    if (read.kind === 'quarantine') return this.#stays(tx, id, read.quarantined.reason, read.quarantined.detail);
    try {
      const isNew = await this.quarantine.store(tx, entry, body, read.notification);
      await this.quarantine.settle(tx, id, 'reprocessed', null);
      return { outcome: isNew ? 'stored' : 'repeated' };
    } catch (error) {
      if (classifyDatabaseError(error) === 'transient') throw error;
      const { code, name } = safeError(error);
      return this.#stays(tx, id, 'NOT_STORABLE', code ?? name);
    }
  }

  async #stays(tx: Tx, id: string, reason: QuarantineReason, detail: string): Promise<Reprocessed> {
    await this.quarantine.keepOpen(tx, id, reason, detail);
    return { outcome: 'still-quarantined', reason, detail };
  }
}

function conflict(problem: string): CannotSettle {
  return { outcome: 'conflict', problem };
}
