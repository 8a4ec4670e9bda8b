import { DEFAULT_LANGUAGE, reasonText } from '@gondola/shared/results/reason-codes';

import { sqlStateOf } from './disposition.ts';

/**
 * Why a record could not be processed, for its dead letter. An error's own message may quote the record's content, so
 * only what comes from the program is told: the error's class, PostgreSQL's code, and the names of table, column and
 * constraint.
 */
export function failureReason(error: unknown): string {
  return `${reasonText('PROCESSING_FAILED', DEFAULT_LANGUAGE)} (${causeOf(error)})`;
}

function causeOf(error: unknown): string {
  const state = sqlStateOf(error);
  if (state === undefined) return error instanceof Error ? error.constructor.name : typeof error;
  const { table, column, constraint } = error as { table?: string; column?: string; constraint?: string };
  return ['PostgreSQL', state, table, column, constraint].filter((part) => part !== undefined).join(' ');
}
