import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { type Sentences, sentencesOf } from '@gondola/shared/results/unreadable-reason';

/**
 * How a batch whose work failed goes on:
 *
 * - `retry`: the trouble passes by itself; the partition waits and the same records come again
 * - `isolate`: some record of the batch is the cause; it is looked for, and goes to the dead letters alone
 * - `exit`: every record would fail alike, and an operator has to act; nothing is committed, the process ends
 */
export type Disposition = 'retry' | 'isolate' | 'exit';

/**
 * SQLSTATE classes of faults in the installation, never in a record: wrong credentials (28), unknown database (3D) or
 * schema (3F), and 42: missing table, missing right, SQL that does not parse. Dead-lettering a whole topic for them
 * would be wrong.
 */
const INSTALLATION_CLASSES = new Set(['28', '3D', '3F', '42']);
const READ_ONLY_TRANSACTION = '25006';
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The one decision over failures of a consumer. Total: takes anything that can be thrown. */
export function dispositionOf(error: unknown): Disposition {
  if (classifyDatabaseError(error) === 'transient') return 'retry';
  const state = sqlStateOf(error);
  // After a failover the old primary answers, read-only, until its clients have gone.
  if (state === READ_ONLY_TRANSACTION) return 'retry';
  return state !== undefined && INSTALLATION_CLASSES.has(state.slice(0, 2)) ? 'exit' : 'isolate';
}

/** PostgreSQL's five-character code of an error, where it is one of PostgreSQL's. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' && SQLSTATE.test(code) ? code : undefined;
}

/**
 * Why a record could not be processed, for its dead letter. An error's own message may quote the record's content, so
 * only what comes from the program is given: the error's class, PostgreSQL's code, and the names of table, column and
 * constraint.
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
