import type { Logger } from '../logging/logger.ts';

/**
 * An error that nobody caught leaves the process in a state nobody knows: it is logged and the process ends with code
 * 1. What was under way is safe by leases, offsets and transactions. Warnings of Node.js are logged as well: every line
 *    of the log is JSON.
 */
export function installCrashGuards(logger: Logger, exit: (code: number) => never): void {
  const die = (what: string) => (err: unknown) => {
    logger.fatal({ err }, what);
    exit(1);
  };
  // Node would write its own warnings to standard error as plain text.
  process.removeAllListeners('warning');
  process.on('warning', (err) => logger.warn({ err }, 'Node.js warns'));
  process.on('uncaughtException', die('An exception was not caught; the process ends'));
  process.on('unhandledRejection', die('A rejection was not handled; the process ends'));
}
