import type { ClaimedLane } from './lanes.ts';

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
