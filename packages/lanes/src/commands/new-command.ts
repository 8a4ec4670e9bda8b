import type { TopicName } from '@gondola/shared/topics/topics';

import type { Column } from '../store/new-rows.ts';

/** Queue of commands whose definition names no other. */
export const MAIN_QUEUE = 'main';

/** A command as it arrives. `commandId` is unique per tenant and topic. */
export interface NewCommand {
  readonly laneId: string;
  readonly tenant: string;
  readonly topic: TopicName;
  readonly commandId: string;
  /** Name of the command, or the `op` of a catalog record. */
  readonly command: string;
  /**
   * Queue within the lane: commands of one queue run one at a time, queues side by side (rule 19). Default `main`.
   */
  readonly queue?: string;
  /** Equal for a repeat (`@gondola/shared/files/content-hash`). */
  readonly contentHash: string;
  /** The record's value as received; null for a tombstone. */
  readonly value: Buffer | null;
  readonly traceparent: string;
  /** Time at which the record was written to its topic; null if unknown. */
  readonly producedAt?: Date | null;
  /** Load under which the command is counted (`load-counts.ts`), if any. */
  readonly loadId?: string | null;
}

/** Columns of a new row, of which the values are parameters. */
export const COMMAND_COLUMNS: readonly Column<NewCommand>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['tenant', 'text', ({ tenant }) => tenant],
  ['topic', 'text', ({ topic }) => topic],
  ['command_id', 'text', ({ commandId }) => commandId],
  ['command', 'text', ({ command }) => command],
  ['queue', 'text', ({ queue = MAIN_QUEUE }) => queue],
  ['content_hash', 'text', ({ contentHash }) => contentHash],
  ['value', 'bytea', ({ value }) => value],
  ['traceparent', 'text', ({ traceparent }) => traceparent],
  ['produced_at', 'timestamptz', ({ producedAt = null }) => producedAt],
  ['load_id', 'text', ({ loadId = null }) => loadId],
];
