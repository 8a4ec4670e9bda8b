import type { ClaimedLane } from './lanes.ts';

/**
 * After this share of a lease without a renewal its step is aborted: it must be inactive when another worker claims
 * its lanes.
 */
const SAFE_SHARE_OF_LEASE = 0.8;

/**
 * Lanes of one step, from claim to end, whether the step runs or waits for a free place. `signal` aborts before their
 * lease ends, unless it is renewed.
 *
 * A lease is counted from its request (`askedAt`, of `performance.now`): the server granted it later, however late its
 * answer arrived. Tested in step-batch.unit.spec.ts.
 */
export class StepBatch {
  readonly lanes: readonly ClaimedLane[];
  readonly #leaseMs: number;
  readonly #abort = new AbortController();
  #leaseTimer: NodeJS.Timeout | undefined;

  constructor(lanes: readonly ClaimedLane[], leaseMs: number, askedAt: number) {
    this.lanes = lanes;
    this.#leaseMs = leaseMs;
    this.renewed(askedAt);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** To be called after a renewal of the lease. */
  renewed(askedAt: number): void {
    clearTimeout(this.#leaseTimer);
    const lapse = (): void => this.abort('The lease could not be renewed');
    const leftMs = askedAt + this.#leaseMs * SAFE_SHARE_OF_LEASE - performance.now();
    if (leftMs > 0) this.#leaseTimer = setTimeout(lapse, leftMs);
    else lapse();
  }

  abort(reason: string): void {
    this.#abort.abort(new Error(reason));
  }

  /** Ends the watch over the lease. */
  close(): void {
    clearTimeout(this.#leaseTimer);
  }
}

/**
 * After a failed step its lanes are claimed in batches that are smaller by this factor, until the failing lane is
 * alone.
 */
const SHRINK = 4;

/**
 * Divides claimed lanes into steps. Lanes that failed before are separate from those that did not, in batches that
 * get smaller with each failure, so that in the end one lane's failure affects no other lane (guarantee 5).
 */
export function splitIntoSteps(lanes: readonly ClaimedLane[], batchSize: number): ClaimedLane[][] {
  const byFailures = Map.groupBy(lanes, ({ failures }) => failures);
  return [...byFailures]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([failures, batch]) => chunks(batch, Math.max(1, Math.floor(batchSize / SHRINK ** failures))));
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
