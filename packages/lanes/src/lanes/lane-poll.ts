import type { Logger } from '@gondola/service-kit/logging/logger';

import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import type { LaneGroup, Lanes } from './lanes.ts';
import { WakeSignal } from '@gondola/service-kit/run/wake-signal';

/** A worker that claims lanes of its group when it is told that some are ready. */
export interface PolledWorker extends LaneGroup {
  claimSoon(): void;
}

export interface LanePollOptions {
  readonly lanes: Pick<Lanes, 'readiness'>;
  /** Delay with which a ready lane may be noticed without a wake signal, such as another replica's. Default 1,000. */
  readonly pollMs?: number;
  readonly logger: Logger;
}

const DEFAULT_POLL_MS = 1_000;
/** Back-off while the database is away; no other process can claim lanes then either. */
const BACKOFF: Backoff = { baseMs: 200, maxMs: 5_000 };

/**
 * Looks for ready lanes of many workers by one statement, so that an idle app asks the database as often with many
 * tenants and kinds as with one. Runs while it has workers.
 *
 *   look ──▶ each worker with a ready lane claims ──▶ look again: after `pollMs` at the latest, when the next lane
 *                                                     comes due or a lease ends, or at once after a wake
 */
export class LanePoll {
  /** Longest time between two looks. */
  readonly pollMs: number;
  readonly #options: LanePollOptions;
  readonly #wakeSignal = new WakeSignal();
  readonly #workers = new Set<PolledWorker>();
  #loop: Promise<void> | undefined;

  constructor(options: LanePollOptions) {
    this.#options = options;
    this.pollMs = options.pollMs ?? DEFAULT_POLL_MS;
  }

  add(worker: PolledWorker): void {
    this.#workers.add(worker);
    this.#wakeSignal.signal();
    this.#loop ??= this.#run();
  }

  /** After the last worker is removed, waits for the look in progress. */
  async remove(worker: PolledWorker): Promise<void> {
    this.#workers.delete(worker);
    if (this.#workers.size > 0) return;
    this.#wakeSignal.signal();
    await this.#loop;
  }

  /** Looks at once; to be called after a wake in this process. */
  wake(): void {
    this.#wakeSignal.signal();
  }

  async #run(): Promise<void> {
    let troubles = 0;
    while (this.#workers.size > 0) {
      try {
        const pauseMs = await this.#look();
        troubles = 0;
        await this.#wakeSignal.wait(pauseMs);
      } catch (err) {
        troubles += 1;
        const retryInMs = backoffMs(BACKOFF, troubles, Math.random());
        this.#options.logger.warn(
          { err, component: 'lane poll', retryInMs },
          'The workers could not look for ready lanes and try again',
        );
        await this.#wakeSignal.wait(retryInMs);
      }
    }
    this.#loop = undefined;
  }

  /** Returns the milliseconds until the next look. */
  async #look(): Promise<number> {
    const { pollMs } = this;
    const found = await this.#options.lanes.readiness([...this.#workers], pollMs);
    const ready = new Set(found.filter(({ isReady }) => isReady).map((group) => groupText(group)));
    for (const worker of this.#workers) if (ready.has(groupText(worker))) worker.claimSoon();
    return Math.min(pollMs, ...found.map(({ nextInMs }) => nextInMs ?? pollMs));
  }
}

export function groupText({ tenant, kind }: LaneGroup): string {
  return `${tenant}/${kind}`;
}
