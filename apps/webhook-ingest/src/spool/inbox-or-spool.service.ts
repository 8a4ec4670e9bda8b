import { setTimeout as delay } from 'node:timers/promises';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Incoming, ReceivedBody } from '../notifications/read-notification.ts';
import { GroupCommit, OutOfTimeError } from '../inbox/group-commit.ts';
import { GROUP_LIMIT, Inbox, type Stored } from '../inbox/inbox.service.ts';
import { Spool } from './spool.adapter.ts';

/** The writing side of the inbox. */
interface InboxIn {
  storeAll(items: readonly Incoming[]): Promise<readonly Stored[]>;
}

/** The writing side of the spool. */
type SpoolIn = Pick<Spool, 'isEmpty' | 'isWritable' | 'append'>;

/** A disk that does not answer within this time counts as failed. */
const SPOOL_BUDGET_MS = 5_000;
const PAUSE_MS = 50;

/**
 * Stores notifications in the inbox, or in the spool while the inbox does not answer. While the spool holds anything,
 * new notifications go into it too, so that one replica keeps an entity's order.
 *
 *            no answer within the budget, or a failure
 *   inbox ──────────────────────────────────────────────▶ spool
 *     ▲                                                     │ only a little is left to import
 *     └── all imported ── held (new ones wait a moment) ◀───┘
 *                              └── takes too long: spool
 *
 * If the spool fails too, the inbox is tried for the rest of the budget: storing the notification matters more than
 * its order. Tested in inbox-or-spool.service.unit.spec.ts and test/spool*.e2e.spec.ts.
 */
@Injectable()
export class InboxOrSpool {
  readonly #inbox: GroupCommit<Incoming, Stored>;
  readonly #spool: GroupCommit<ReceivedBody, 'spooled'>;
  /** Budget of the inbox in milliseconds, counted from the receipt of a body. */
  readonly #budgetMs: number;
  #onSpooling: () => void = () => {};
  #target: 'inbox' | 'spool' = 'inbox';
  /** Held at first: only the opened spool shows whether notifications go into the inbox or the spool. */
  #held: PromiseWithResolvers<void> | undefined = Promise.withResolvers();

  constructor(
    @Inject(Inbox) inbox: InboxIn,
    @Inject(Spool) private readonly spool: SpoolIn,
    @Inject(CONFIG) config: { readonly ingest: { readonly inboxBudgetMs: number } },
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const budgetMs = config.ingest.inboxBudgetMs;
    this.#budgetMs = budgetMs;
    this.#inbox = new GroupCommit({
      ...GROUP_LIMIT,
      commit: (items) => inbox.storeAll(items),
      bytesOf: ({ received }) => received.body.length,
      keyOf: ({ read }) => (read.kind === 'notification' ? read.notification.partitionKey : read.quarantined.dedupKey),
      budgetMs,
    });
    this.#spool = new GroupCommit({
      ...GROUP_LIMIT,
      commit: async (records) => {
        await spool.append(records);
        return records.map(() => 'spooled' as const);
      },
      bytesOf: ({ body }) => body.length,
      budgetMs: SPOOL_BUDGET_MS,
    });
  }

  /** Calls `listener` when the spool holds notifications, or is about to. */
  onSpooling(listener: () => void): void {
    this.#onSpooling = listener;
  }

  get isSpooling(): boolean {
    return this.#target === 'spool';
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Returns when the notification is on a disk. Throws if that is unknown. */
  async store(item: Incoming): Promise<Stored | 'spooled'> {
    while (this.#held !== undefined) await this.#held.promise;
    if (this.#target === 'inbox') {
      try {
        return await this.#inbox.add(item);
      } catch (error) {
        this.leaveInbox(error);
      }
    }
    try {
      return await this.#spool.add(item.received);
    } catch {
      return await this.#tryInbox(item);
    }
  }

  /** Directs new notifications, and those that the inbox has not answered yet, into the spool. */
  leaveInbox(err: unknown): void {
    if (this.#target === 'spool') return;
    this.#target = 'spool';
    this.logger.error({ err }, 'PostgreSQL does not store notifications in time; they are stored in the spool');
    this.#inbox.giveUp(err);
    this.#onSpooling();
  }

  /** Directs notifications into the spool, because it is not empty. */
  goOnSpooling(): void {
    if (this.#target === 'inbox')
      this.logger.warn('The spool is not empty; notifications are stored in it until it is');
    this.#target = 'spool';
  }

  /** Makes new notifications wait until `release`. */
  hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Returns to the inbox if the spool is empty; false if it is not. */
  returnToInbox(): boolean {
    if (!this.#spool.isIdle || !this.spool.isEmpty) return false;
    if (this.#target === 'spool') this.logger.info('The spool is empty; notifications are stored in the inbox again');
    this.#target = 'inbox';
    return true;
  }

  /** Tries the inbox until its budget is over; an attempt that still runs then is abandoned. */
  async #tryInbox(item: Incoming): Promise<Stored> {
    const budgetMs = Math.max(0, this.#budgetMs - (Date.now() - item.received.receivedAt.getTime()));
    const over = new AbortController();
    const late = Promise.withResolvers<never>();
    let last: unknown;
    const timer = setTimeout(() => {
      over.abort();
      late.reject(new OutOfTimeError(budgetMs, last));
    }, budgetMs);
    const attempts = async (): Promise<Stored> => {
      for (;;) {
        try {
          return await this.#inbox.add(item);
        } catch (error) {
          last = error;
          await delay(PAUSE_MS, undefined, { signal: over.signal });
        }
      }
    };
    try {
      return await Promise.race([attempts(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
