import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@gondola/service-kit/run/clock';
import type { Startable } from '@gondola/service-kit/run/startable';
import { DAY_MS } from '@gondola/shared/durations';
import { OLDEST_NOTIFICATION, OLDEST_QUARANTINED, RetentionRepository } from './retention.repository.ts';
import { EraseReceived } from './erase-received.service.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { UserErasuresRepository } from '../inbox/user-erasures.repository.ts';
import { MirrorDeliveries } from '../mirror/mirror-deliveries.repository.ts';
import { ContentMetrics } from '../inbox/content.metrics.ts';

/** Rows in one statement. */
const BATCH = 500;
/** Statements of one kind in one run; the rest waits for the next run, so that no tenant delays another. */
const MAX_BATCHES = 20;

/** Days for which the record of an erasure stays after the keys of the order's last notification may be deleted. */
const ERASURE_DAYS = 365;

/** Days for which a tenant's notifications are stored; `keyDays` is never less than `bodyDays`. */
interface Retention {
  readonly bodyDays: number;
  readonly keyDays: number;
}

interface ForgetOldConfig {
  readonly tenants: ReadonlyArray<{ readonly id: string; readonly webhook: { readonly retention: Retention } }>;
  readonly mirrors: ReadonlyMap<string, unknown>;
  readonly retention: { readonly everyMs: number };
}

/** Bodies go first, so that the same run deletes the keys of what is older still. */
const STEPS = [
  { kind: 'notification', part: 'body' },
  { kind: 'quarantine', part: 'body' },
  { kind: 'notification', part: 'key' },
  { kind: 'quarantine', part: 'key' },
] as const;

type Step = (typeof STEPS)[number];

/**
 * Erases, repeatedly, content older than its tenant's retention and content named by erasure requests. Tested in
 * retention.int.spec.ts.
 */
@Injectable()
export class ForgetOld implements Startable {
  readonly name = 'retention';
  readonly #task: RepeatingTask;
  #isStopping = false;

  constructor(
    private readonly retention: RetentionRepository,
    private readonly erasing: EraseReceived,
    private readonly erasures: ErasuresRepository,
    private readonly userErasures: UserErasuresRepository,
    private readonly mirror: MirrorDeliveries,
    private readonly metrics: ContentMetrics,
    private readonly clock: Clock,
    unswept: UnsweptRows,
    @Inject(CONFIG) private readonly config: ForgetOldConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { everyMs } = config.retention;
    this.#task = new RepeatingTask({ name: this.name, everyMs, run: () => this.run(), logger });
    for (const { id, webhook } of config.tenants) {
      const days = [webhook.retention.bodyDays, webhook.retention.keyDays];
      unswept.watch('notifications', OLDEST_NOTIFICATION, [id, ...days]);
      unswept.watch('quarantine', OLDEST_QUARANTINED, [id, ...days]);
    }
  }

  async start(): Promise<void> {
    this.#isStopping = false;
    await this.#task.start();
  }

  /** Waits for the current statement and starts no other. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#task.stop();
  }

  /** One run over all tenants. */
  async run(): Promise<void> {
    await this.erasing.apply(() => this.#isStopping);
    await this.userErasures.forget();
    await this.mirror.forget([...this.config.mirrors.keys()], DAY_MS);
    for (const { id, webhook } of this.config.tenants) {
      await this.erasures.deleteOld(id, this.#before(webhook.retention.keyDays + ERASURE_DAYS), BATCH);
    }
    let isThrough = true;
    for (const { id, webhook } of this.config.tenants) {
      const { bodyDays, keyDays } = webhook.retention;
      for (const step of STEPS) {
        isThrough = (await this.#take(step, id, this.#before(step.part === 'body' ? bodyDays : keyDays))) && isThrough;
      }
    }
    if (isThrough) this.metrics.ranRetention();
  }

  #before(days: number): Date {
    return new Date(this.clock.now() - days * DAY_MS);
  }

  /** False if more rows may remain. */
  async #take(step: Step, tenant: string, before: Date): Promise<boolean> {
    for (let batch = 0; batch < MAX_BATCHES && !this.#isStopping; batch += 1) {
      const count = await this.retention.forget(step, tenant, before, BATCH);
      this.metrics.forgotten({ tenant, ...step, cause: 'retention' }, count);
      if (count < BATCH) return true;
    }
    return false;
  }
}
