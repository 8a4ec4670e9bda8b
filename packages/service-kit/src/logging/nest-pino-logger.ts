import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.ts';

/** Contexts in which Nest logs every module and route at boot; only developers use these lines. */
const CHATTY_CONTEXTS = new Set([
  'NestFactory',
  'InjectorLogger',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestMicroservice',
]);

/** Writes Nest's own lines to the app's log, through its allow-list. */
export class NestPinoLogger implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.#write(CHATTY_CONTEXTS.has(contextOf(rest) ?? '') ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  #write(level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]): void {
    const context = contextOf(rest);
    if (message instanceof Error) this.#logger[level]({ context, err: message }, message.message);
    else this.#logger[level]({ context }, typeof message === 'string' ? message : 'Nest');
  }
}

/** Nest passes the context last; a stack may precede it, which is not logged. */
function contextOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}
