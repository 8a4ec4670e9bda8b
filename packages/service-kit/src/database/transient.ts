import { classifyDatabaseError } from './database-errors.ts';

const MAX_CAUSES = 8;

/**
 * Whether starting a part may succeed later: the database or a socket is in trouble, or the error (or what caused it)
 * says of itself that it is `retriable`, as kafkajs' errors do. Anything else is permanent: wrong credentials, a broken
 * configuration, a bug.
 */
export function isTransientStartFailure(error: unknown): boolean {
  return classifyDatabaseError(error) === 'transient' || saysRetriable(error);
}

function saysRetriable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    if ('retriable' in current && current.retriable === true) return true;
    current = 'cause' in current ? current.cause : undefined;
  }
  return false;
}
