import type { Logger } from './logger.ts';

/** There is one token of the operations API, named by its variable. */
const TOKEN_NAME = 'OPERATIONS_TOKEN';

/** Stored personal data that was shown: `kind`, and the fields that identify it (`log-fields`). */
export interface ShownBody {
  readonly kind: 'dead-letter' | 'notification' | 'order' | 'quarantine';
  /** Of a body. */
  readonly bytes?: number;
  readonly tenant?: string | null;
  readonly dedupKey?: string;
  readonly quarantineId?: string;
  readonly deadLetterId?: string;
  readonly orderNumber?: string;
}

/**
 * Writes down that a body, which may be personal data, was shown: when, which, and to whose token. At `warn`, so that
 * it is there at usual levels.
 */
export function auditShown(logger: Logger, shown: ShownBody): void {
  logger.warn({ ...shown, token: TOKEN_NAME }, 'A stored body was shown');
}
