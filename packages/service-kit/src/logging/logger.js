import { format } from 'node:util';
import { pino } from 'pino';
import { LOG_ERROR_FIELDS, LOG_FIELDS, LOG_TEXT_FIELDS } from './log-fields.js';
import { safeError } from './safe-error.js';
import { bounded, scrubText } from './scrub.js';
/** Injects the app's logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('gondola.logger');
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MAX_STRING = 300;
const MAX_MESSAGE = 1_000;
const MAX_LIST = 20;
/**
 * A JSON logger that cannot leak values passed by mistake (no customer's CPF, e-mail or phone in a log): fields
 * outside the allow-list of `log-fields` are dropped and counted in `dropped`, objects are never written, errors
 * become `{ name, code, message }`, messages are scrubbed, and every string is bounded.
 */
export function createLogger(options) {
  const settings = {
    level: options.level,
    base: { app: options.app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino's own serializer of `err` would add the stack; the values here are already safe.
    serializers: { err: (value) => value },
    formatters: { level: (label) => ({ level: label }) },
    hooks: { logMethod: writeSafely },
  };
  const logger = options.destination === undefined ? pino(settings) : pino(settings, options.destination);
  return withSafeChildren(logger);
}
function writeSafely(args, method) {
  const write = method;
  const [first, ...rest] = args;
  const hasFields = typeof first === 'object' && first !== null;
  const fields = first instanceof Error ? { err: safeError(first) } : hasFields ? safeFields(first) : {};
  const message = hasFields ? rest : args;
  if (message.length === 0) write.call(this, fields);
  else write.call(this, fields, messageOf(message));
}
/** pino resets `formatters.bindings` for children, so their bindings are filtered when they are created. */
function withSafeChildren(logger) {
  const base = Object.getPrototypeOf(logger);
  return Object.assign(logger, {
    child(bindings) {
      return base.child.call(this, safeFields(bindings));
    },
    setBindings(bindings) {
      base.setBindings.call(this, safeFields(bindings));
    },
  });
}
/** The fields that may be logged, and the number of dropped ones. */
function safeFields(fields) {
  const safe = {};
  let dropped = 0;
  for (const [name, value] of Object.entries(fields)) {
    const field = safeValue(name, value);
    if (field !== undefined) safe[name] = field;
    else if (value !== undefined) dropped += 1;
  }
  return dropped === 0 ? safe : { ...safe, dropped };
}
function safeValue(name, value) {
  if (LOG_ERROR_FIELDS.has(name)) return value === undefined ? undefined : safeError(value);
  if (LOG_TEXT_FIELDS.has(name)) return typeof value === 'string' ? scrubText(value, MAX_STRING) : undefined;
  if (!LOG_FIELDS.has(name)) return undefined;
  return Array.isArray(value) ? value.slice(0, MAX_LIST).map(safeScalar) : safeScalar(value);
}
function safeScalar(value) {
  if (typeof value === 'string') return value.includes('@') ? scrubText(value, MAX_STRING) : bounded(value, MAX_STRING);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return undefined;
}
/** An object among the arguments of a message would bypass the allow-list, so only scalars are logged. */
function messageOf(args) {
  const plain = args.map((value) => (value instanceof Error ? safeError(value).message : safeScalar(value)));
  return scrubText(format(...plain), MAX_MESSAGE);
}
//# sourceMappingURL=logger.js.map
