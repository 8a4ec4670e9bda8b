import type { DestinationStream, Logger as PinoLogger } from 'pino';
/** pino's logger; every line passes the allow-list of `log-fields`. */
export type Logger = PinoLogger;
/** Injects the app's logger: `@Inject(LOGGER) logger: Logger`. */
export declare const LOGGER: unique symbol;
export declare const LOG_LEVELS: readonly ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
export type LogLevel = (typeof LOG_LEVELS)[number];
export interface LoggerOptions {
  /** The app's name, which every line contains as `app`. */
  app: string;
  level: LogLevel;
  /** Default: standard output. Tests collect the lines. */
  destination?: DestinationStream;
}
/**
 * A JSON logger that cannot leak values passed by mistake (no customer's CPF, e-mail or phone in a log): fields
 * outside the allow-list of `log-fields` are dropped and counted in `dropped`, objects are never written, errors
 * become `{ name, code, message }`, messages are scrubbed, and every string is bounded.
 */
export declare function createLogger(options: LoggerOptions): Logger;
