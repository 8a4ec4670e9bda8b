import { format } from 'node:util';
import { pino } from 'pino';
import type { Bindings, DestinationStream, Logger as PinoLogger } from 'pino';
import { LOG_ERROR_FIELDS, LOG_FIELDS, LOG_TEXT_FIELDS } from './log-fields.ts';
import { safeError } from './safe-error.ts';
import { bounded, scrubText } from './scrub.ts';

/** pino's logger; every line passes the allow-list of `log-fields`. */
export type Logger = PinoLogger;

/** Injects the app's logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('gondola.logger');

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** The app's name, which every line contains as `app`. */
  app: string;
  level: LogLevel;
  /** Default: standard output. Tests collect the lines. */
  destination?: DestinationStream;
}

const MAX_STRING = 300;
const MAX_MESSAGE = 1_000;
const MAX_LIST = 20;

/**
 * A JSON logger that cannot leak values passed by mistake (no customer's CPF, e-mail or phone in a log): fields
 * outside the allow-list of `log-fields` are dropped and counted in `dropped`, objects are never written, errors
 * become `{ name, code, message }`, messages are scrubbed, and every string is bounded.
 */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level,
    base: { app: options.app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino's own serializer of `err` would add the stack; the values here are already safe.
    serializers: { err: (value: unknown) => value },
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { logMethod: writeSafely },
  };
  const logger = options.destination === undefined ? pino(settings) : pino(settings, options.destination);
  return withSafeChildren(logger);
}

function writeSafely(this: Logger, args: unknown[], method: (...args: never[]) => void): void {
  const write = method as (fields: object, message?: string) => void;
  const [first, ...rest] = args;
  const hasFields = typeof first === 'object' && first !== null;
  const fields = first instanceof Error ? { err: safeError(first) } : hasFields ? safeFields(first) : {};
  const message = hasFields ? rest : args;
  if (message.length === 0) write.call(this, fields);
  else write.call(this, fields, messageOf(message));
}

/** pino resets `formatters.bindings` for children, so their bindings are filtered when they are created. */
function withSafeChildren(logger: Logger): Logger {
  const base = Object.getPrototypeOf(logger) as BindingMethods;
  return Object.assign(logger, {
    child(this: Logger, bindings: Bindings): Logger {
      return base.child.call(this, safeFields(bindings));
    },
    setBindings(this: Logger, bindings: Bindings): void {
      base.setBindings.call(this, safeFields(bindings));
    },
  });
}

interface BindingMethods {
  child(this: Logger, bindings: object): Logger;
  setBindings(this: Logger, bindings: object): void;
}

/** The fields that may be logged, and the number of dropped ones. */
function safeFields(fields: object): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  let dropped = 0;
  for (const [name, value] of Object.entries(fields)) {
    const field = safeValue(name, value);
    if (field !== undefined) safe[name] = field;
    else if (value !== undefined) dropped += 1;
  }
  return dropped === 0 ? safe : { ...safe, dropped };
}

function safeValue(name: string, value: unknown): unknown {
  if (LOG_ERROR_FIELDS.has(name)) return value === undefined ? undefined : safeError(value);
  if (LOG_TEXT_FIELDS.has(name)) return typeof value === 'string' ? scrubText(value, MAX_STRING) : undefined;
  if (!LOG_FIELDS.has(name)) return undefined;
  return Array.isArray(value) ? value.slice(0, MAX_LIST).map(safeScalar) : safeScalar(value);
}

function safeScalar(value: unknown): string | number | boolean | null | undefined {
  if (typeof value === 'string') return value.includes('@') ? scrubText(value, MAX_STRING) : bounded(value, MAX_STRING);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return undefined;
}

/** An object among the arguments of a message would bypass the allow-list, so only scalars are logged. */
function messageOf(args: unknown[]): string {
  const plain = args.map((value) => (value instanceof Error ? safeError(value).message : safeScalar(value)));
  return scrubText(format(...plain), MAX_MESSAGE);
}
