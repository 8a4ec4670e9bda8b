import type { Logger } from './logger.ts';

/** The operations API has one token, which is identified by its variable. */
const TOKEN_NAME = 'OPERATIONS_TOKEN';

/**
 * Personal data that was shown, stored here or read at the platform: `kind`, and the fields that identify it
 * (`log-fields`).
 */
export interface ShownBody {
  readonly kind: 'dead-letter' | 'notification' | 'order' | 'order-details' | 'quarantine';
  /** Size of a body. */
  readonly bytes?: number;
  readonly tenant?: string | null;
  readonly dedupKey?: string;
  readonly quarantineId?: string;
  readonly deadLetterId?: string;
  readonly orderNumber?: string;
}

/** A command that an operator requested instead of the ERP. */
export interface AskedCommand {
  readonly command: string;
  readonly commandId: string;
  readonly tenant: string;
  readonly orderNumber: string;
}

/** Logs that a command came from an operator, not from the ERP: its time, the command and the token. */
export function auditAsked(logger: Logger, asked: AskedCommand): void {
  logger.warn({ ...asked, token: TOKEN_NAME }, 'An operator asked for a command');
}

/**
 * Logs that a stored body, which may be personal data, was shown: the time, the body and the token. Uses `warn`, so
 * that the line is written at usual log levels.
 */
export function auditShown(logger: Logger, shown: ShownBody): void {
  logger.warn({ ...shown, token: TOKEN_NAME }, 'A stored body was shown');
}
