import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';

import { type Backoff, backoffMs } from './backoff.ts';
import { splitIntoSteps } from './lane-steps.ts';
import type { ClaimedLane, Lanes } from './lanes.ts';
import { WakeSignal } from './wake-signal.ts';
import { RepeatingTask } from '../repeating-task.ts';
import { settlesWithin } from '../within.ts';

export interface LaneWorkerOptions {
  readonly name: string;
  readonly lanes: Lanes;
  /** One worker per tenant and kind: their trouble stops nobody else (guarantee 5). */
  readonly tenant: string;
  readonly kind: string;
  /** Lanes in one step. */
  readonly batchSize: number;
  /** Steps at once. */
  readonly concurrency: number;
  /** How late a due lane may be noticed that was not woken. Default 200. */
  readonly pollMs?: number;
  /** Longer than any call in a step; it is renewed at each third. */
  readonly leaseMs: number;
  /**
   * Works on lanes and ends each with `Lanes.finish`. What it throws postpones those that it had not finished. After
   * `signal` aborts (shutdown, or the lease may run out) nothing may be sent to the platform any more.
   */
  readonly step: (lanes: readonly ClaimedLane[], signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  /** Back-off of a lane whose steps fail. Default from 1 s to 5 min. */
  readonly backoff?: Backoff;
  /** How long `stop` waits for open steps before it aborts them. Default 5,000. */
  readonly drainMs?: number;
}

/** Lanes of one step, from claim to end, whether it runs already or waits for a place. */
interface StepBatch {
  readonly lanes: readonly ClaimedLane[];
  readonly abort: AbortController;
  /** Fires while the lease still lasts, unless a renewal puts it off. */
  readonly leaseTimer: NodeJS.Timeout;
}

const DEFAULT_POLL_MS = 200;
const DEFAULT_BACKOFF: Backoff = { baseMs: 1_000, maxMs: 300_000 };
const DEFAULT_DRAIN_MS = 5_000;
/** While the database is away; then nobody else can do the work either. */
const CLAIM_BACKOFF: Backoff = { baseMs: 200, maxMs: 5_000 };
const RENEWALS_PER_LEASE = 3;
/**
 * After this share of a lease without a renewal its steps are aborted: they must be quiet when another claims their
 * lanes.
 */
const SAFE_SHARE_OF_LEASE = 0.8;
const ABORT_GRACE_MS = 1_000;

/**
 * Claims due lanes and runs steps on them. Gives: at most `concurrency` steps at once and never two on one lane; no
 * failure, of a step or of the database, ends the worker; what a step leaves behind, whatever way it ends, comes again.
 * Tested in lane-worker*.int.spec.ts.
 */
export class LaneWorker implements Startable {
  readonly name: string;
  readonly #options: LaneWorkerOptions;
  readonly #wakeSignal = new WakeSignal();
  readonly #renewals: RepeatingTask;
  /** Claimed, no place yet. */
  readonly #waiting: StepBatch[] = [];
  readonly #running = new Map<StepBatch, Promise<void>>();
  #loop: Promise<void> | undefined;
  #stopping = false;
  /** The last claim was full. */
  #moreIsLikely = false;

  constructor(options: LaneWorkerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#renewals = new RepeatingTask({
      name: `${options.name} lease renewal`,
      everyMs: options.leaseMs / RENEWALS_PER_LEASE,
      run: () => this.#renew(),
      logger: options.logger,
    });
  }

  async start(): Promise<void> {
    if (this.#loop !== undefined) return;
    this.#stopping = false;
    await this.#renewals.start();
    this.#loop = this.#run();
  }

  /** Something was woken in this process: look now. */
  wake(): void {
    this.#wakeSignal.signal();
  }

  /**
   * Waits for open steps, then aborts them; the leases of those that still do not end are handed back over their heads.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeSignal.signal();
    await this.#loop;
    this.#loop = undefined;
    await this.#handBack(this.#waiting.splice(0));
    if (!(await this.#runningEndWithin(this.#options.drainMs ?? DEFAULT_DRAIN_MS))) {
      for (const { abort } of this.#running.keys()) abort.abort(new Error('The worker stops'));
      await this.#runningEndWithin(ABORT_GRACE_MS);
      await this.#handBack([...this.#running.keys()]);
    }
    await this.#renewals.stop();
  }

  async #run(): Promise<void> {
    let troubles = 0;
    while (!this.#stopping) {
      try {
        const pauseMs = await this.#turn();
        troubles = 0;
        if (pauseMs > 0) await this.#wakeSignal.wait(pauseMs);
      } catch (err) {
        troubles += 1;
        const retryInMs = backoffMs(CLAIM_BACKOFF, troubles, Math.random());
        this.#options.logger.warn({ err, component: this.name, retryInMs }, 'Lanes could not be claimed');
        await this.#wakeSignal.wait(retryInMs);
      }
    }
  }

  /**
   * Starts one step, if there is a place and work for it. Returns how long nothing else is to be done; the end of a
   * step rings as well.
   */
  async #turn(): Promise<number> {
    const pollMs = this.#options.pollMs ?? DEFAULT_POLL_MS;
    if (this.#running.size >= this.#options.concurrency) return pollMs;
    const guessed = this.#moreIsLikely;
    if (this.#waiting.length === 0) {
      const readyInMs = guessed ? 0 : await this.#options.lanes.nextReadyInMs(this.#options);
      if (readyInMs === null || readyInMs > 0) return Math.min(readyInMs ?? pollMs, pollMs);
      await this.#claim();
    }
    const next = this.#stopping ? undefined : this.#waiting.shift();
    // Ready and yet not to be had: somebody has it locked. After a wrong guess, though, it is not known when the next
    // one is ready.
    if (next === undefined) return guessed ? 0 : pollMs;
    this.#running.set(next, this.#work(next));
    return 0;
  }

  async #claim(): Promise<void> {
    const { lanes, tenant, kind, batchSize, concurrency, leaseMs } = this.#options;
    // For all free places and not beyond: what waits here, another replica could work on.
    const limit = (concurrency - this.#running.size) * batchSize;
    const claimed = await lanes.claim({ tenant, kind, limit, leaseMs });
    // A lease that ran out under a step which does not end: nobody may start a second one beside it.
    const here = new Set([...this.#running.keys()].flatMap((batch) => batch.lanes.map(({ id }) => id)));
    const [doubled, free] = partition(claimed, ({ id }) => here.has(id));
    this.#moreIsLikely = free.length === limit;
    this.#waiting.push(...splitIntoSteps(free, batchSize).map((batch) => this.#stepBatch(batch)));
    if (doubled.length > 0) await lanes.handBack(doubled);
  }

  #stepBatch(lanes: readonly ClaimedLane[]): StepBatch {
    const abort = new AbortController();
    const lapse = (): void => abort.abort(new Error('The lease could not be renewed'));
    return { lanes, abort, leaseTimer: setTimeout(lapse, this.#options.leaseMs * SAFE_SHARE_OF_LEASE) };
  }

  async #work(batch: StepBatch): Promise<void> {
    const { lanes, abort, leaseTimer } = batch;
    try {
      abort.signal.throwIfAborted();
      await this.#options.step(lanes, abort.signal);
    } catch (err) {
      await this.#failed(batch, err);
    } finally {
      clearTimeout(leaseTimer);
      this.#running.delete(batch);
      this.#wakeSignal.signal();
    }
  }

  async #failed(batch: StepBatch, err: unknown): Promise<void> {
    // Ended by us, which is no fault of its lanes.
    if (batch.abort.signal.aborted) return this.#handBack([batch]);
    const { lanes, tenant, kind, logger, backoff = DEFAULT_BACKOFF } = this.#options;
    const laneId = batch.lanes.length === 1 ? batch.lanes[0]?.id : undefined;
    const fields = { component: this.name, tenant, kind, laneId, count: batch.lanes.length };
    logger.error({ ...fields, err }, 'A lane step failed; its lanes are tried again later');
    try {
      await lanes.postpone(batch.lanes, ({ failures }) => backoffMs(backoff, failures + 1, Math.random()));
    } catch (error) {
      logger.warn({ ...fields, err: error }, 'Lanes could not be handed back; they come again when their lease ends');
    }
  }

  async #handBack(batches: readonly StepBatch[]): Promise<void> {
    if (batches.length === 0) return;
    for (const { leaseTimer } of batches) clearTimeout(leaseTimer);
    const { lanes, logger } = this.#options;
    try {
      await lanes.handBack(batches.flatMap((batch) => batch.lanes));
    } catch (err) {
      logger.warn(
        { err, component: this.name, count: batches.length },
        'Lanes could not be handed back; they come again when their lease ends',
      );
    }
  }

  async #renew(): Promise<void> {
    const batches = [...this.#running.keys(), ...this.#waiting];
    if (batches.length === 0) return;
    const { lanes, leaseMs } = this.#options;
    const renewed = await lanes.renew(
      batches.flatMap((batch) => batch.lanes),
      leaseMs,
    );
    const held = new Set(renewed.map(({ id }) => id));
    for (const batch of batches) {
      // Not those that ended meanwhile: refreshing would bring their timer back to life.
      const isOpen = this.#running.has(batch) || this.#waiting.includes(batch);
      if (isOpen && batch.lanes.some(({ id }) => held.has(id))) batch.leaseTimer.refresh();
    }
  }

  async #runningEndWithin(ms: number): Promise<boolean> {
    return settlesWithin(ms, Promise.all(this.#running.values()));
  }
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => matches(item)), items.filter((item) => !matches(item))];
}
