import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';
import { tracing } from '@gondola/service-kit/tracing/tracing';

import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import type { LanePoll, PolledWorker } from './lane-poll.ts';
import type { ClaimedLane, Lanes } from './lanes.ts';
import { splitIntoSteps, StepBatch } from './step-batch.ts';
import { WakeSignal } from '@gondola/service-kit/run/wake-signal';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { settlesWithin } from '@gondola/service-kit/run/within';

export interface LaneWorkerOptions {
  readonly name: string;
  readonly lanes: Lanes;
  /** One worker per tenant and kind, so that a failure of one affects no other (guarantee 5). */
  readonly tenant: string;
  readonly kind: string;
  /** Maximum number of lanes in one step. */
  readonly batchSize: number;
  /** Maximum number of steps in parallel. */
  readonly concurrency: number;
  /** Tells it when lanes are ready. */
  readonly poll: LanePoll;
  /** Longer than any call in a step; the lease is renewed at each third of this time. */
  readonly leaseMs: number;
  /**
   * Works on lanes and ends each with `Lanes.finish`. If it throws, the lanes that it has not finished are
   * postponed. After `signal` aborts (shutdown, or the lease may run out) it must make no further call to the
   * platform.
   */
  readonly step: (lanes: readonly ClaimedLane[], signal: AbortSignal) => Promise<void>;
  /** Asked before each claim; false: the tenant's work is held. Default: it never is. */
  readonly mayClaim?: () => Promise<boolean>;
  /** Its claims and steps run by it: such as `Database.urgently`. Default: as they are. */
  readonly runBy?: <T>(work: () => T) => T;
  readonly logger: Logger;
  /** Back-off of a lane whose steps fail. Default from 1 s to 5 min. */
  readonly backoff?: Backoff;
  /** Time for which `stop` waits for open steps before it aborts them. Default 5,000. */
  readonly drainMs?: number;
}

const DEFAULT_BACKOFF: Backoff = { baseMs: 1_000, maxMs: 300_000 };
const DEFAULT_DRAIN_MS = 5_000;
const RENEWALS_PER_LEASE = 3;
const ABORT_GRACE_MS = 1_000;
/** Less than a commit takes, after which lanes are due that return at once: they are a microsecond apart. */
const COMMIT_MS = 0.1;
/** Asked for more, PostgreSQL finds it cheaper to read and sort all lanes of the kind, and mostly few are ready. */
const MOST_CLAIMED = 100;

/**
 * Claims due lanes and runs steps on them. Guarantees: at most `concurrency` steps run at once, and never two on
 * one lane; no failure of a step or of the database ends the worker; a lane that a step leaves unfinished, for any
 * reason, is claimed again. Tested in lane-worker*.int.spec.ts.
 */
export class LaneWorker implements Startable, PolledWorker {
  readonly name: string;
  readonly tenant: string;
  readonly kind: string;
  readonly #options: LaneWorkerOptions;
  readonly #wakeSignal = new WakeSignal();
  readonly #renewals: RepeatingTask;
  /** Claimed batches that wait for a free place. */
  readonly #waiting: StepBatch[] = [];
  readonly #running = new Map<StepBatch, Promise<void>>();
  #loop: Promise<void> | undefined;
  #stopping = false;
  /** True if lanes are ready: woken, found by the poll, or left by a claim that returned all that it asked for. */
  #moreIsLikely = false;
  /** True if a step returned a lane whose due time the poll may have to see, and a claim was to come. */
  #owesLook = false;

  constructor(options: LaneWorkerOptions) {
    this.name = options.name;
    this.tenant = options.tenant;
    this.kind = options.kind;
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
    const { runBy, poll } = this.#options;
    this.#loop = runBy === undefined ? this.#run() : runBy(() => this.#run());
    poll.add(this);
  }

  /** Claims lanes as soon as a place is free. */
  claimSoon(): void {
    this.#moreIsLikely = true;
    this.#wakeSignal.signal();
  }

  /**
   * Waits for open steps, then aborts them. Leases of steps that still do not end are handed back without waiting
   * for them.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeSignal.signal();
    await Promise.all([this.#loop, this.#options.poll.remove(this)]);
    this.#loop = undefined;
    await this.#handBack(this.#waiting.splice(0));
    if (!(await this.#runningEndWithin(this.#options.drainMs ?? DEFAULT_DRAIN_MS))) {
      for (const batch of this.#running.keys()) batch.abort('The worker stops');
      await this.#runningEndWithin(ABORT_GRACE_MS);
      await this.#handBack([...this.#running.keys()]);
    }
    await this.#renewals.stop();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) if (!(await this.#startStep())) await this.#wakeSignal.wait();
  }

  /** Starts one step if a place is free and a lane is ready. False: nothing to do before the next signal. */
  async #startStep(): Promise<boolean> {
    if (this.#running.size >= this.#options.concurrency) return false;
    if (this.#waiting.length === 0 && this.#moreIsLikely) await this.#claim();
    const next = this.#stopping ? undefined : this.#waiting.shift();
    if (next === undefined) return false;
    this.#running.set(next, this.#work(next));
    return true;
  }

  async #claim(): Promise<void> {
    const { lanes, tenant, kind, batchSize, concurrency, leaseMs, logger, mayClaim } = this.#options;
    // Claims for the free places only: another replica could work on lanes that wait here.
    const limit = Math.min((concurrency - this.#running.size) * batchSize, MOST_CLAIMED);
    // Before the claim: what the poll finds during the claim is not lost.
    this.#moreIsLikely = false;
    const askedAt = performance.now();
    try {
      if ((await mayClaim?.()) === false) return;
      const claimed = await lanes.claim({ tenant, kind, limit, leaseMs });
      // A lane whose lease ran out under a step that does not end is claimed again here; no second step may start
      // on it.
      const here = new Set([...this.#running.keys()].flatMap((batch) => this.#leased(batch)).map(({ id }) => id));
      const [doubled, free] = partition(claimed, ({ id }) => here.has(id));
      this.#moreIsLikely ||= free.length === limit;
      this.#waiting.push(...splitIntoSteps(free, batchSize).map((some) => new StepBatch(some, leaseMs, askedAt)));
      if (doubled.length > 0) await lanes.handBack(doubled);
    } catch (err) {
      logger.warn(
        { err, component: this.name },
        'The worker could not claim lanes and tries again after the next poll',
      );
    }
    this.#lookUnlessMoreIsLikely();
  }

  /** A lane that is due now is claimed; the regular look finds one that is due late enough. */
  #returned(dueInMs: number | null | undefined): void {
    if (dueInMs === null) return;
    if (dueInMs !== undefined && dueInMs < COMMIT_MS) this.#moreIsLikely = true;
    else if (dueInMs === undefined || dueInMs < this.#options.poll.pollMs) this.#owesLook = true;
  }

  /** In a backlog, each claim shows whether to claim again, and a look would only repeat its work. */
  #lookUnlessMoreIsLikely(): void {
    if (this.#moreIsLikely || !this.#owesLook) return;
    this.#owesLook = false;
    this.#options.poll.wake();
  }

  async #work(batch: StepBatch): Promise<void> {
    const { lanes, signal } = batch;
    try {
      signal.throwIfAborted();
      await this.#traced(lanes, () => this.#options.step(lanes, signal));
    } catch (err) {
      await this.#failed(batch, err);
    } finally {
      batch.close();
      this.#running.delete(batch);
      for (const lane of lanes) this.#returned(this.#options.lanes.dueInMs(lane));
      this.#lookUnlessMoreIsLikely();
      this.#wakeSignal.signal();
    }
  }

  /** The step has a span in the trace of each cause that it names: its commands, and what it publishes. */
  #traced(lanes: readonly ClaimedLane[], step: () => Promise<void>): Promise<void> {
    if (!tracing.isOn) return step();
    const { kind, tenant } = this.#options;
    const attributes = { 'gondola.tenant': tenant, 'gondola.lane.kind': kind, 'gondola.lane.count': lanes.length };
    return tracing.during({ name: `step ${kind}`, kind: 'internal', attributes }, step);
  }

  async #failed(batch: StepBatch, err: unknown): Promise<void> {
    // The worker itself aborted the step; its lanes have not failed.
    if (batch.signal.aborted) return this.#handBack([batch]);
    const { lanes, tenant, kind, logger, backoff = DEFAULT_BACKOFF } = this.#options;
    const laneId = batch.lanes.length === 1 ? batch.lanes[0]?.id : undefined;
    const fields = { component: this.name, tenant, kind, laneId, count: batch.lanes.length };
    logger.error({ ...fields, err }, 'A lane step failed; its lanes are tried again later');
    try {
      await lanes.postpone(batch.lanes, ({ failures }) => backoffMs(backoff, failures + 1, Math.random()));
    } catch (error) {
      logger.warn(
        { ...fields, err: error },
        'Lanes could not be handed back; they are claimed again when their lease ends',
      );
    }
  }

  async #handBack(batches: readonly StepBatch[]): Promise<void> {
    if (batches.length === 0) return;
    for (const batch of batches) batch.close();
    const { lanes, logger } = this.#options;
    try {
      await lanes.handBack(batches.flatMap((batch) => batch.lanes));
    } catch (err) {
      logger.warn(
        { err, component: this.name, count: batches.length },
        'Lanes could not be handed back; they are claimed again when their lease ends',
      );
    }
  }

  async #renew(): Promise<void> {
    const batches = [...this.#running.keys(), ...this.#waiting];
    if (batches.length === 0) return;
    const { lanes, leaseMs } = this.#options;
    const askedAt = performance.now();
    const leased = batches.flatMap((batch) => this.#leased(batch));
    const held = new Set((await lanes.renew(leased, leaseMs)).map(({ id }) => id));
    for (const batch of batches) {
      // Only open batches: a renewal would restart the timer of one that has ended.
      const isOpen = this.#running.has(batch) || this.#waiting.includes(batch);
      if (isOpen && this.#leased(batch).some(({ id }) => held.has(id))) batch.renewed(askedAt);
    }
  }

  /** Lanes of a batch that its step has not finished; another step may have those that it has. */
  #leased({ lanes }: StepBatch): ClaimedLane[] {
    return lanes.filter((lane) => !this.#options.lanes.isFinished(lane));
  }

  async #runningEndWithin(ms: number): Promise<boolean> {
    return settlesWithin(ms, Promise.all(this.#running.values()));
  }
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => matches(item)), items.filter((item) => !matches(item))];
}
