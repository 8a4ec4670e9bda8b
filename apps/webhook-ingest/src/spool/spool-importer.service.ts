import { backoffMs } from '@gondola/messaging/lanes/backoff';
import { WakeSignal } from '@gondola/messaging/lanes/wake-signal';
import { settlesWithin } from '@gondola/messaging/within';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';
import type { Receiver } from '../notifications/read-notification.ts';
import type { ReceivedBody } from '../notifications/incoming.ts';
import type { Spool } from './spool.adapter.ts';
import type { SpoolContent } from './spool-codec.adapter.ts';
import type { SpoolFileState } from './spool-file.adapter.ts';
import { GROUP_LIMIT, type Stored } from '../inbox/inbox.service.ts';
import type { InboxOrSpool } from './inbox-or-spool.service.ts';
import { Incoming } from '../notifications/incoming.ts';

export interface SpoolImporterParts {
  readonly spool: Spool;
  readonly keeper: InboxOrSpool;
  /** Throws while the inbox cannot be written. */
  readonly probeInbox: () => Promise<void>;
  readonly storeAll: (items: readonly Incoming[]) => Promise<readonly Stored[]>;
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly onImported: (records: number) => void;
  readonly logger: Logger;
}

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
 * Brings what is in the spool into the inbox: file by file, in order, by the same idempotent insert; a file is removed
 * after its commit, so that whatever happens in between is a repeat. When little is left, it hands over (see
 * `InboxOrSpool`). What cannot be imported is kept aside: bytes that are no record, records of a tenant that is not in
 * the tenants file (any more). Tested in spool-importer.service.int.spec.ts and test/spool*.e2e.spec.ts.
 */
export class SpoolImporter implements Startable {
  readonly name = 'spool';
  readonly #parts: SpoolImporterParts;
  readonly #wakeSignal = new WakeSignal();
  #loop: Promise<void> | undefined;
  #isStopping = false;

  constructor(parts: SpoolImporterParts) {
    this.#parts = parts;
    parts.keeper.onSpooling(() => this.#wakeSignal.signal());
  }

  /**
   * Opens the spool, if that can be done, and lets in whoever waits. Without a spool the app works on, as long as
   * PostgreSQL does.
   */
  async start(): Promise<void> {
    const { keeper } = this.#parts;
    this.#isStopping = false;
    const opening = this.#open().catch((err: unknown) => this.#tellUnopened(err));
    await settlesWithin(OPEN_MS, opening);
    keeper.release();
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wakeSignal.signal();
    if (this.#loop !== undefined) await settlesWithin(STOP_MS, this.#loop);
    this.#loop = undefined;
    await this.#parts.spool.close();
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
        this.#parts.logger.warn({ err, component: this.name, retryInMs }, 'The spool waits for the inbox');
        await this.#wakeSignal.wait(retryInMs);
      }
    }
  }

  async #pass(): Promise<void> {
    const { spool, keeper, probeInbox } = this.#parts;
    if (!spool.isOpen) await this.#open().catch((err: unknown) => this.#tellUnopened(err));
    if (!keeper.isSpooling) return;
    await spool.probe().catch(() => undefined);
    await probeInbox();
    while (!this.#isStopping) {
      if (spool.stats().bytes > HANDOVER_BYTES) await this.#importNext();
      else return await this.#handOver();
    }
  }

  /**
   * Imports the rest while new ones wait; if that takes too long they go into the spool after all, and the next pass
   * tries again.
   */
  async #handOver(): Promise<void> {
    const { spool, keeper } = this.#parts;
    keeper.hold();
    const timer = setTimeout(() => keeper.release(), HOLD_MS);
    try {
      while (await this.#importNext()) if (!keeper.isHeld) break;
      if (spool.isEmpty) keeper.returnToInbox();
    } finally {
      clearTimeout(timer);
      keeper.release();
    }
  }

  async #open(): Promise<void> {
    const { spool, keeper } = this.#parts;
    await spool.open();
    if (!spool.isEmpty) keeper.goOnSpooling();
  }

  #tellUnopened(err: unknown): void {
    this.#parts.logger.error({ err, component: this.name }, 'The spool cannot be opened; PostgreSQL must not fail now');
  }

  /** False if there is nothing to import. */
  async #importNext(): Promise<boolean> {
    const { spool, receivers, onImported, logger } = this.#parts;
    const file = await spool.next();
    if (file === undefined) return false;
    const { bytes, content } = await spool.read(file);
    if (content === null) {
      await spool.aside.keepFile(file.name);
      logger.error(
        { bytes: bytes.length, component: this.name },
        'A file of the spool is not of a known form: kept aside',
      );
    } else {
      const known = content.records.filter(({ tenant }) => receivers.has(tenant));
      for (const group of groupsOf(known)) await this.#import(group);
      onImported(known.length);
      await this.#keepAside(file, bytes, content);
      logger.info({ records: known.length, bytes: bytes.length }, 'A file of the spool is imported');
    }
    await spool.remove(file);
    return true;
  }

  async #keepAside(
    { name }: SpoolFileState,
    bytes: Buffer,
    { records, damaged, tornBytes }: SpoolContent,
  ): Promise<void> {
    const { spool, receivers, logger } = this.#parts;
    const foreign = records.filter(({ tenant }) => !receivers.has(tenant));
    if (foreign.length > 0) {
      await spool.aside.keepRecords(name, foreign);
      const tenants = [...new Set(foreign.map(({ tenant }) => tenant))];
      const problem =
        'Notifications of tenants that are not in the tenants file: kept aside until a start with them in it';
      logger.error({ records: foreign.length, tenants }, problem);
    }
    for (const { start, end } of damaged) {
      await spool.aside.keepBytes(name, start, bytes.subarray(start, end));
      logger.error({ offset: start, bytes: end - start }, 'A part of the spool is damaged: kept aside');
    }
    if (tornBytes > 0)
      logger.warn({ bytes: tornBytes }, 'A file of the spool ends in what a crash broke off, unanswered');
  }

  async #import(group: readonly ReceivedBody[]): Promise<void> {
    const { storeAll, receivers } = this.#parts;
    await storeAll(group.map((received) => new Incoming(receivers.get(received.tenant)!, received)));
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
