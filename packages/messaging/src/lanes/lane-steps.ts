import type { ClaimedLane } from './lanes.ts';

/** A batch whose step failed comes back in batches this much smaller, until the culprit is alone. */
const SHRINK = 4;

/**
 * Which claimed lanes go through a step together. Those that failed before are separate from those that did not, in
 * batches that get smaller with each failure, so that one lane's trouble ends up stopping nobody else (guarantee 5).
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
