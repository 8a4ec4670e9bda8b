import { SettingError } from '@gondola/service-kit/config/config';
import { classifyDatabaseError, sqlStateOf, takenIdentityOf } from '@gondola/service-kit/database/database-errors';
import { type Sentences, sentencesOf } from '@gondola/shared/results/unreadable-reason';

/**
 * Decides how the consumer goes on after a batch has failed:
 *
 * - `retry`: the failure is temporary; the partition pauses, and the same records are consumed again
 * - `isolate`: a record of the batch causes the failure; it is found and dead-lettered alone
 * - `exit`: every record would fail in the same way and an operator has to act; nothing is committed
 */
export type Disposition = 'retry' | 'isolate' | 'exit';

/**
 * SQLSTATE classes of faults in the installation, never in a record: wrong credentials (28), unknown database (3D)
 * or schema (3F), and 42: missing table, missing privilege, invalid SQL. Such a fault must not dead-letter a whole
 * topic.
 */
const INSTALLATION_CLASSES = new Set(['28', '3D', '3F', '42']);
const READ_ONLY_TRANSACTION = '25006';

/** Decides on every failure of a consumer. Total: accepts any thrown value. */
export function dispositionOf(error: unknown): Disposition {
  if (classifyDatabaseError(error) === 'transient') return 'retry';
  // A session or a sequence that is not as it must be: every record would meet it.
  if (error instanceof SettingError || takenIdentityOf(error) !== null) return 'exit';
  const state = sqlStateOf(error);
  // After a failover the old primary answers read-only until its clients have disconnected.
  if (state === READ_ONLY_TRANSACTION) return 'retry';
  return state !== undefined && INSTALLATION_CLASSES.has(state.slice(0, 2)) ? 'exit' : 'isolate';
}

/**
 * Why a record could not be processed, for its dead letter. An error's message may quote the record's content, so
 * the reason contains only values of the program: the error's class, PostgreSQL's code, and the names of table,
 * column and constraint.
 */
export function failureReason(error: unknown): Sentences {
  return sentencesOf('PROCESSING_FAILED', causeOf(error));
}

function causeOf(error: unknown): string {
  const state = sqlStateOf(error);
  if (state === undefined) return error instanceof Error ? error.constructor.name : typeof error;
  const { table, column, constraint } = error as { table?: string; column?: string; constraint?: string };
  return ['PostgreSQL', state, table, column, constraint].filter((word) => word !== undefined).join(' ');
}
