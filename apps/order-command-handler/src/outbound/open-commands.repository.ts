import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { Database } from '@gondola/service-kit/database/database';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { HeadStore } from '../application/order-stores.ts';

const HEAD = `
  SELECT id, lane_id, tenant, topic, command_id, command, value, traceparent, received_at, progress::text, attempts,
    first_sent_at, deadline_at,
    EXTRACT(EPOCH FROM deadline_at - clock_timestamp())::float8 * 1000 AS deadline_in_ms
  FROM commands WHERE lane_id = lane.id AND state = 'open'`;

/**
 * $1 lane ids. Two short walks for each lane: along the index of open cancels, and along the one of all that is open.
 */
const HEADS = `
  SELECT head.* FROM unnest($1::bigint[]) AS lane (id)
  CROSS JOIN LATERAL (
    (${HEAD} AND command = 'CancelOrder' ORDER BY place LIMIT 1)
    UNION ALL
    (${HEAD} AND command <> 'CancelOrder' ORDER BY place LIMIT 1)
  ) AS head`;

interface HeadRow {
  id: string;
  lane_id: string;
  tenant: string;
  topic: TopicName;
  command_id: string;
  command: string;
  value: Buffer | null;
  traceparent: string;
  received_at: Date;
  progress: string | null;
  attempts: number;
  first_sent_at: Date | null;
  deadline_at: Date | null;
  deadline_in_ms: number | null;
}

/**
 * The commands whose turn it is. `messaging` keeps the table and knows one queue; that a cancel goes beside it is this
 * app's.
 */
export class OpenCommandsRepository implements HeadStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async ofLanes(laneIds: readonly string[]): Promise<readonly OpenCommand[]> {
    const { rows } = await this.#database.query<HeadRow & { [column: string]: unknown }>(HEADS, [laneIds]);
    const isCancel = ({ command }: HeadRow): number => Number(command === 'CancelOrder');
    return rows.toSorted((one, other) => isCancel(other) - isCancel(one)).map(openCommand);
  }
}

function openCommand(row: HeadRow): OpenCommand {
  const { id, tenant, topic, command, value, traceparent, progress, attempts } = row;
  return {
    id,
    laneId: row.lane_id,
    tenant,
    topic,
    commandId: row.command_id,
    command,
    value,
    traceparent,
    receivedAt: row.received_at.toISOString(),
    progress,
    attempts,
    firstSentAt: row.first_sent_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    deadlineInMs: row.deadline_in_ms,
  };
}
