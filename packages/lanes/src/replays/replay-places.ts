import type { PartitionEdges } from '@gondola/kafka/produce/read-back';
import { type TopicName, topicSpec } from '@gondola/shared/topics/topics';

import type { ReplayCounts, ReplayProgress } from './replays.ts';

const NONE: ReplayCounts = { sent: 0, erased: 0, superseded: 0, refused: 0 };

/** RFC 3339; what was published before it Kafka has deleted, by the retention of the catalog. Null: nothing. */
export function deletedBefore(topic: TopicName, now: number): string | null {
  const { retentionMs } = topicSpec(topic);
  return retentionMs === null ? null : new Date(now - retentionMs).toISOString();
}

/**
 * A replay that begins, from the offsets `found` of its time on, or the ends where there is none (-1). If Kafka has
 * nothing from before that time in a partition of which it deleted records, some of the time itself may be gone.
 */
export function newProgress(
  { topic, since }: { readonly topic: TopicName; readonly since: Date },
  edges: readonly PartitionEdges[],
  found: ReadonlyMap<number, bigint>,
  now: number,
): ReplayProgress {
  const places = edges.map(({ partition, start, end }) => {
    const offset = found.get(partition) ?? -1n;
    return { partition, start, from: offset < 0n || offset > end ? end : offset, end: String(end) };
  });
  const isWhole = places.every(({ start, from }) => start === 0n || from > start);
  const deleted = isWhole ? null : deletedBefore(topic, now);
  return {
    places: places.map(({ partition, from, end }) => ({ partition, from: String(from), next: String(from), end })),
    ...NONE,
    missingBefore: deleted !== null && Date.parse(deleted) > since.getTime() ? deleted : null,
  };
}

/** The progress with the counts of further records. */
export function withCounts(progress: ReplayProgress, more: ReplayCounts): ReplayProgress {
  const { sent, erased, superseded, refused } = progress;
  return {
    ...progress,
    sent: sent + more.sent,
    erased: erased + more.erased,
    superseded: superseded + more.superseded,
    refused: refused + more.refused,
  };
}
