import { backoffMs } from '@gondola/shared/backoff';
import { WakeSignal } from '@gondola/service-kit/run/wake-signal';
import { settlesWithin } from '@gondola/service-kit/run/within';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { codeOf } from '@gondola/service-kit/logging/safe-error';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Incoming, type ReceivedBody } from '../notifications/read-notification.ts';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { NotificationsRepository } from '../inbox/notifications.repository.ts';
import { SpoolMetrics } from './spool.metrics.ts';
import { Spool } from './spool.adapter.ts';
import type { SpoolContent } from './spool-codec.adapter.ts';
import type { SpoolFileState } from './spool-file.adapter.ts';
import { GROUP_LIMIT, Inbox } from '../inbox/inbox.service.ts';
import { InboxOrSpool } from './inbox-or-spool.service.ts';

const BACKOFF = { baseMs: 100, maxMs: 2_000 };
const IDLE_MS = 1_000;
/** Longest wait of a boot for the disk. */
const OPEN_MS = 2_000;
/** With at most this many bytes left, new notifications wait until the rest is imported, */
const HANDOVER_BYTES = 2 * 1_048_576;
/** but no longer than this. */
const HOLD_MS = 300;
const STOP_MS = 5_000;
/** Errors of a read that the process or the machine causes, not the file: the read is repeated. */
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/**
 * Imports the spool into the inbox: file by file, in order, by the same idempotent insert. A file is removed after
 * its commit, so a crash in between causes a repeat. When little is left, it hands over to the inbox (see
 * `InboxOrSpool`). Content that cannot be imported is set aside: files that the disk cannot read, lines that are no
 * record, and records of a tenant that is not in the tenants file. Tested in spool-importer.service.int.spec.ts and
 * test/spool*.e2e.spec.ts.
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
   * Opens the spool, if possible, and releases the waiting deliveries. Without a spool the app works as long as
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
    await this.spool.isTaken();
    if (!this.spool.isOpen) await this.#open().catch((err: unknown) => this.#logUnopened(err));
    await this.spool.adopt().catch((err: unknown) => this.#logUnadopted(err));
    if (!this.inboxOrSpool.isSpooling && this.spool.isEmpty) return;
    await this.spool.probe().catch(() => undefined);
    await this.notifications.probe();
    while (!this.#isStopping) {
      // Files of a process that is gone say nothing of this one's order: new notifications need not wait for them.
      const isLittleLeft = this.inboxOrSpool.isSpooling && this.spool.stats().bytes <= HANDOVER_BYTES;
      if (isLittleLeft) return await this.#handOver();
      if (!(await this.#importNext())) return;
    }
  }

  /**
   * Imports the rest while new notifications wait. If that takes too long, they go into the spool after all, and
   * the next pass tries again.
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
    this.logger.error(
      { err, component: this.name },
      'The spool cannot be opened; while PostgreSQL is unreachable, deliveries will be answered 503',
    );
  }

  #logUnadopted(err: unknown): void {
    this.logger.warn({ err, component: this.name }, 'The spool cannot look for files of processes that are gone');
  }

  /** False if there is nothing to import. */
  async #importNext(): Promise<boolean> {
    const file = await this.spool.next();
    if (file === undefined) return false;
    const content = await this.spool.read(file).catch((err: unknown) => this.#setUnreadAside(file, err));
    if (content === null) return true;
    await this.#importFile(file, content);
    await this.spool.remove(file);
    return true;
  }

  async #importFile(file: SpoolFileState, content: SpoolContent): Promise<void> {
    const known = content.records.filter(({ tenant }) => this.config.receivers.has(tenant));
    for (const group of groupsOf(known)) await this.#import(group);
    this.metrics.imported(known.length);
    await this.#storeAside(file, content);
    this.logger.info({ file: file.name, records: known.length, bytes: file.bytes }, 'A spool file was imported');
  }

  /** One file that the disk cannot read stops no other. Throws what says nothing of the file. */
  async #setUnreadAside(file: SpoolFileState, err: unknown): Promise<null> {
    if (SHORTAGES.has(codeOf(err) ?? '')) throw err;
    const fields = { file: file.name, err, component: this.name };
    try {
      await this.spool.setUnreadAside(file);
      this.logger.error(fields, 'A spool file cannot be read and was set aside; the next start tries it again');
    } catch (cause) {
      const problem =
        'A spool file can neither be read nor set aside; it stays where it is, and the next start tries it again';
      this.logger.error({ ...fields, cause }, problem);
    }
    return null;
  }

  async #storeAside({ name: file }: SpoolFileState, { records, damaged, tornBytes }: SpoolContent): Promise<void> {
    const foreign = records.filter(({ tenant }) => !this.config.receivers.has(tenant));
    if (foreign.length > 0) {
      await this.spool.aside.storeRecords(file, foreign);
      const tenants = [...new Set(foreign.map(({ tenant }) => tenant))];
      const problem =
        'Notifications of tenants that are not in the tenants file are set aside until the app starts with these tenants';
      this.logger.error({ file, records: foreign.length, tenants }, problem);
    }
    if (damaged.length > 0) {
      await this.spool.aside.storeLines(file, damaged);
      this.logger.error({ file, records: damaged.length }, 'A spool file holds damaged lines, which are set aside');
    }
    if (tornBytes > 0)
      this.logger.warn(
        { file, bytes: tornBytes },
        'A spool file ends with bytes that a crash cut off; none of their deliveries was answered',
      );
  }

  async #import(group: readonly ReceivedBody[]): Promise<void> {
    const items = group.map(({ headers, ...received }) => {
      const receiver = this.config.receivers.get(received.tenant)!;
      const isMirrored = receiver.isMirrored && headers !== undefined;
      return new Incoming(receiver, { ...received, ...(isMirrored && { headers }) });
    });
    await this.inbox.storeAll(items);
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
