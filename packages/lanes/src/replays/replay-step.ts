import { type Replayed, type ReplayRecord, replayRecord } from '@gondola/kafka/records/replay-record';
import type { FetchedRecord } from '@gondola/kafka/wire/fetched-record';

/** Fewer than in a send of the relay, which has to wait while these are written in the same process. */
const MOST_RECORDS = 200;
/** As in the relay: Kafka takes the records of a partition as one batch, whose size the broker limits. */
const MOST_BYTES = 900_000;

/** The next records of a replay, and those that were fetched and are left for the step after it. */
export interface ReplayStep {
  readonly chosen: readonly ReplayRecord[];
  readonly rest: readonly FetchedRecord[];
}

/** Looks at records in their order until `most` of them are chosen, or as many as one send takes. */
export function replayStep(records: readonly FetchedRecord[], replay: Replayed, most: number): ReplayStep {
  const chosen: ReplayRecord[] = [];
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    const found = replayRecord(record, replay);
    if (found === null) continue;
    bytes += (record.key?.length ?? 0) + (record.value?.length ?? 0) + record.headerBytes;
    const isFull = chosen.length >= Math.min(most, MOST_RECORDS) || (chosen.length > 0 && bytes > MOST_BYTES);
    if (isFull) return { chosen, rest: records.slice(index) };
    chosen.push(found);
  }
  return { chosen, rest: [] };
}
