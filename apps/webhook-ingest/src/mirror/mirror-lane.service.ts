import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { type MirrorTimes, outcomeOf, waitsAfter } from './judge-attempt.ts';
import type { MirrorDeliveries, NextDelivery } from './mirror-deliveries.repository.ts';
import type { MirrorMetrics } from './mirror.metrics.ts';
import { MirrorReceiver } from './mirror-receiver.adapter.ts';

/** The mirror of a tenant, as configured. */
type Mirror = NonNullable<TenantConfig<'webhook'>['webhook']['mirror']>;

export interface MirrorLaneOptions {
  readonly tenant: string;
  readonly mirror: Mirror;
  readonly deliveries: MirrorDeliveries;
  readonly metrics: Pick<MirrorMetrics, 'attempted' | 'dropped'>;
  readonly logger: Logger;
  readonly times: MirrorTimes;
}

/** Pace while the database does not answer, in milliseconds. */
const AFTER_ERROR_MS = 1_000;
/** Milliseconds between two looks for what is beyond the bounds. */
const DROP_EVERY_MS = 1_000;

/**
 * Sends what waits for one tenant's mirror, one at a time, in the order of arrival.
 *
 *   next ──▶ send ── 2xx, or refused for good ──▶ deleted, next at once
 *    ▲         │
 *    └─ waits ─┴── failed: the same again; after three times it steps aside for a while, and those of other
 *                  entities pass. If those fail, too, the receiver is away: those aside are tried in turn, and once
 *                  it answers, none is aside any longer.
 *
 * Notifications of one entity never pass each other. Tested in mirror.int.spec.ts.
 */
export class MirrorLane {
  readonly #options: MirrorLaneOptions;
  readonly #receiver: MirrorReceiver;
  readonly #task: RepeatingTask;
  /** Failures in a row, and those of the deliveries in front that had them. */
  #inARow = 0;
  readonly #failed = new Set<string>();
  /** The stored state may tell of a failure that an earlier process had. */
  #isFailing = true;
  #isDropping = false;
  #waitMs = 0;
  #lookedAt = -Infinity;

  constructor(options: MirrorLaneOptions) {
    this.#options = options;
    this.#receiver = new MirrorReceiver(options.mirror, options.times.answerMs);
    this.#task = new RepeatingTask({
      name: `mirror of ${options.tenant}`,
      everyMs: () => this.#waitMs,
      run: () => this.#step(),
      logger: options.logger,
    });
  }

  async start(): Promise<void> {
    await this.#task.start();
  }

  /** Waits a moment for the attempt in progress; one that takes longer is broken off, and made again later. */
  async stop(): Promise<void> {
    await this.#task.stop();
    await this.#receiver.close();
  }

  async #step(): Promise<void> {
    const { tenant, deliveries, times, metrics } = this.#options;
    this.#waitMs = AFTER_ERROR_MS;
    await this.#dropSurplus();
    const next = await deliveries.next(tenant, this.#inARow > 0);
    this.#waitMs = times.idleMs;
    if (next === null) return;
    if (next.body === null) metrics.dropped(tenant, 'erased', 1);
    if (next.body === null || (await this.#passOn(next, next.body))) {
      await deliveries.end(tenant, next.id);
      this.#waitMs = 0;
    }
  }

  /** False if the delivery has to be sent again. */
  async #passOn({ id, headers, attempts }: NextDelivery, body: Buffer): Promise<boolean> {
    const { tenant, deliveries, times, metrics, logger } = this.#options;
    const attempt = await this.#receiver.send(headers, body);
    const outcome = outcomeOf(attempt);
    metrics.attempted(tenant, outcome);
    const answer = 'status' in attempt ? { status: attempt.status } : { code: attempt.code };
    if (outcome === 'failed') {
      this.#inARow += 1;
      if (attempts < times.triesInFront) this.#failed.add(id);
      const failures = { inARow: this.#inARow, attempts: attempts + 1 };
      const { mirrorMs, deliveryMs } = waitsAfter(failures, times, Math.random());
      this.#waitMs = mirrorMs;
      if (!this.#isFailing || this.#inARow === 1)
        logger.warn({ tenant, ...answer, retryInMs: mirrorMs }, 'The mirror did not take a notification; it waits');
      this.#isFailing = true;
      await deliveries.failed(tenant, id, deliveryMs, String(Object.values(answer)[0]));
      return false;
    }
    if (outcome === 'refused') {
      const fields = { tenant, ...answer, bytes: body.length };
      logger.warn(fields, 'The mirror refused a notification for good; the next one follows');
    }
    if (this.#isFailing) await deliveries.works(tenant, this.#failed.size > 1);
    this.#isFailing = false;
    this.#inARow = 0;
    this.#failed.clear();
    return true;
  }

  async #dropSurplus(): Promise<void> {
    const { tenant, mirror, deliveries, metrics, logger } = this.#options;
    const now = performance.now();
    if (!this.#isDropping && now - this.#lookedAt < DROP_EVERY_MS) return;
    this.#lookedAt = now;
    const dropped = await deliveries.drop(tenant, mirror);
    const count = dropped.age + dropped.count;
    metrics.dropped(tenant, 'age', dropped.age);
    metrics.dropped(tenant, 'count', dropped.count);
    if (count > 0 && !this.#isDropping) {
      const problem =
        'Notifications that wait for the mirror are beyond maxWaiting or maxAgeMs; the oldest are dropped';
      logger.error({ tenant, count }, problem);
    }
    this.#isDropping = count > 0;
  }
}
