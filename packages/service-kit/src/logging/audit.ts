import type { Logger } from './logger.ts';
import { currentOperator } from './operator.ts';

/** The operations API has one token, which is identified by its variable; the console adds the operator's name. */
function caller(): { token: string; operator?: string } {
  const operator = currentOperator();
  return { token: 'OPERATIONS_TOKEN', ...(operator !== null && { operator }) };
}

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

/** Logs that a command came from an operator, not from the ERP: its time, the command, the token and the operator. */
export function auditAsked(logger: Logger, asked: AskedCommand): void {
  logger.warn({ ...asked, ...caller() }, 'An operator asked for a command');
}

/**
 * Logs that a stored body, which may be personal data, was shown: the time, the body, the token and the operator. Uses
 * `warn`, so that the line is written at usual log levels.
 */
export function auditShown(logger: Logger, shown: ShownBody): void {
  logger.warn({ ...shown, ...caller() }, 'A stored body was shown');
}
