import { backoffMs } from '@gondola/messaging/lanes/backoff';
import { WakeSignal } from '@gondola/messaging/lanes/wake-signal';
import { settlesWithin } from '@gondola/messaging/within';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import type { ReceivedBody } from '../notifications/incoming.ts';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { NotificationsRepository } from '../inbox/notifications.repository.ts';
import { SpoolMetrics } from './spool.metrics.ts';
import { Spool } from './spool.adapter.ts';
import type { SpoolContent } from './spool-codec.adapter.ts';
import type { SpoolFileState } from './spool-file.adapter.ts';
import { GROUP_LIMIT, Inbox } from '../inbox/inbox.service.ts';
import { InboxOrSpool } from './inbox-or-spool.service.ts';
import { Incoming } from '../notifications/incoming.ts';

const BACKOFF = { baseMs: 100, maxMs: 2_000 };
const IDLE_MS = 1_000;
/** So long a boot waits for the disk. */
const OPEN_MS = 2_000;
/** When no more is left than that, new ones wait until it is imported, */
const HANDOVER_BYTES = 2 * 1_048_576;
/** but no longer than this. */
const HOLD_MS = 300;
const STOP_MS = 5_000;

/**
 * Imports the spool into the inbox: file by file, in order, by the same idempotent insert. A file is removed after its
 * commit, so a crash in between leads to a repeat. When little is left, it hands over (see `InboxOrSpool`). What cannot
 * be imported is stored aside: bytes that are no record, records of a tenant that is not in the tenants file (any
 * more). Tested in spool-importer.service.int.spec.ts and test/spool*.e2e.spec.ts.
 */
@Injectable()
export class SpoolImporter implements Startable {
  readonly name = 'spool';
  readonly #wakeSignal = new WakeSignal();
  #loop: Promise<void> | undefined;
  #isStopping = false;

  constructor(
    private readonly spool: Spool,
    private readonly inboxOrSpool: InboxOrSpool,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'storeAll'>,
    private readonly notifications: NotificationsRepository,
    @Inject(SpoolMetrics) private readonly metrics: Pick<SpoolMetrics, 'imported'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'receivers'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    inboxOrSpool.onSpooling(() => this.#wakeSignal.signal());
  }

  /**
   * Opens the spool, if possible, and releases the deliveries that wait. Without a spool the app works as long as
   * PostgreSQL does.
   */
  async start(): Promise<void> {
    this.#isStopping = false;
    const opening = this.#open().catch((err: unknown) => this.#logUnopened(err));
    await settlesWithin(OPEN_MS, opening);
    this.inboxOrSpool.release();
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wakeSignal.signal();
    if (this.#loop !== undefined) await settlesWithin(STOP_MS, this.#loop);
    this.#loop = undefined;
    await this.spool.close();
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#isStopping) {
      try {
        await this.#pass();
        failures = 0;
        await this.#wakeSignal.wait(IDLE_MS);
      } catch (err) {
        failures += 1;
        const retryInMs = backoffMs(BACKOFF, failures, Math.random());
        this.logger.warn({ err, component: this.name, retryInMs }, 'The spool waits for the inbox');
        await this.#wakeSignal.wait(retryInMs);
      }
    }
  }

  async #pass(): Promise<void> {
    if (!this.spool.isOpen) await this.#open().catch((err: unknown) => this.#logUnopened(err));
    if (!this.inboxOrSpool.isSpooling) return;
    await this.spool.probe().catch(() => undefined);
    await this.notifications.probe();
    while (!this.#isStopping) {
      if (this.spool.stats().bytes > HANDOVER_BYTES) await this.#importNext();
      else return await this.#handOver();
    }
  }

  /**
   * Imports the rest while new ones wait; if that takes too long they go into the spool after all, and the next pass
   * tries again.
   */
  async #handOver(): Promise<void> {
    this.inboxOrSpool.hold();
    const timer = setTimeout(() => this.inboxOrSpool.release(), HOLD_MS);
    try {
      while (await this.#importNext()) if (!this.inboxOrSpool.isHeld) break;
      if (this.spool.isEmpty) this.inboxOrSpool.returnToInbox();
    } finally {
      clearTimeout(timer);
      this.inboxOrSpool.release();
    }
  }

  async #open(): Promise<void> {
    await this.spool.open();
    if (!this.spool.isEmpty) this.inboxOrSpool.goOnSpooling();
  }

  #logUnopened(err: unknown): void {
    this.logger.error({ err, component: this.name }, 'The spool cannot be opened; PostgreSQL must not fail now');
  }

  /** False if there is nothing to import. */
  async #importNext(): Promise<boolean> {
    const file = await this.spool.next();
    if (file === undefined) return false;
    const { bytes, content } = await this.spool.read(file);
    if (content === null) {
      await this.spool.aside.keepFile(file.name);
      this.logger.error(
        { bytes: bytes.length, component: this.name },
        'A file of the spool is not of a known form: kept aside',
      );
    } else {
      const known = content.records.filter(({ tenant }) => this.config.receivers.has(tenant));
      for (const group of groupsOf(known)) await this.#import(group);
      this.metrics.imported(known.length);
      await this.#keepAside(file, bytes, content);
      this.logger.info({ records: known.length, bytes: bytes.length }, 'A file of the spool is imported');
    }
    await this.spool.remove(file);
    return true;
  }

  async #keepAside(
    { name }: SpoolFileState,
    bytes: Buffer,
    { records, damaged, tornBytes }: SpoolContent,
  ): Promise<void> {
    const foreign = records.filter(({ tenant }) => !this.config.receivers.has(tenant));
    if (foreign.length > 0) {
      await this.spool.aside.keepRecords(name, foreign);
      const tenants = [...new Set(foreign.map(({ tenant }) => tenant))];
      const problem =
        'Notifications of tenants that are not in the tenants file: kept aside until a start with them in it';
      this.logger.error({ records: foreign.length, tenants }, problem);
    }
    for (const { start, end } of damaged) {
      await this.spool.aside.keepBytes(name, start, bytes.subarray(start, end));
      this.logger.error({ offset: start, bytes: end - start }, 'A part of the spool is damaged: kept aside');
    }
    if (tornBytes > 0)
      this.logger.warn({ bytes: tornBytes }, 'A file of the spool ends in what a crash broke off, unanswered');
  }

  async #import(group: readonly ReceivedBody[]): Promise<void> {
    await this.inbox.storeAll(
      group.map((received) => new Incoming(this.config.receivers.get(received.tenant)!, received)),
    );
  }
}

function* groupsOf(records: readonly ReceivedBody[]): Generator<readonly ReceivedBody[]> {
  let group: ReceivedBody[] = [];
  let bytes = 0;
  for (const record of records) {
    bytes += record.body.length;
    if (group.length > 0 && (group.length >= GROUP_LIMIT.maxItems || bytes > GROUP_LIMIT.maxBytes)) {
      yield group;
      group = [];
      bytes = record.body.length;
    }
    group.push(record);
  }
  if (group.length > 0) yield group;
}
