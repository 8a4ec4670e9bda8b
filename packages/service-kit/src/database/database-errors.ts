/**
 * The one place that decides what a failure of the database means. Everything that retries, isolates or gives
 * up on database work asks here.
 *
 * - `transient`: the same work may succeed later (server away, frozen, restarting, deadlock, time-out)
 * - `data`: this row's values are the cause, the server is well (SQLSTATE classes 22 and 23)
 * - `bug`: everything else, such as SQL that does not parse or an error that is not the database's at all
 */
export type DatabaseErrorKind = 'transient' | 'data' | 'bug';

/**
 * 08 connection, 40 rollback (deadlock, serialization), 53 resources, 57 operator intervention and cancelled
 * statements.
 */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '57']);
/**
 * Lock not available, read-only (an old primary after a failover), idle time-outs, I/O error: outside those classes.
 */
const TRANSIENT_STATES = new Set(['55P03', '25006', '25P03', '25P04', '58030']);
const DATA_CLASSES = new Set(['22', '23']);

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** pg and pg-pool give these errors no code, so their texts (pg 8.23, pg-pool 3.14) are all there is to go by. */
const DRIVER_MESSAGES = [
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
];

const SQLSTATE = /^[0-9A-Z]{5}$/;
const MAX_CAUSES = 8;

/** Thrown by `Database` where no driver error exists: not connected yet, or closed. Always transient. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * Classifies a failure of the database by what it means for the work that met it. Total: takes anything that can be
 * thrown. Looks through `cause`, TypeORM's `driverError` and the members of an `AggregateError`; the outermost verdict
 * that is not `bug` wins.
 */
export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  for (const candidate of chainOf(error)) {
    const kind = kindOf(candidate);
    if (kind !== 'bug') return kind;
  }
  return 'bug';
}

/**
 * Whether the connection on which this error was met can still be trusted: after a time-out or a broken socket it
 * cannot (an answer may be on its way, a statement may still run), and must be destroyed.
 */
export function breaksConnection(error: unknown): boolean {
  return chainOf(error).some((candidate) => {
    const code = codeOf(candidate);
    if (code !== undefined && SQLSTATE.test(code) && 'severity' in candidate) {
      return code.startsWith('08') || code.startsWith('57P') || code === '25P03' || code === '25P04';
    }
    return isConnectionFailure(candidate);
  });
}

function kindOf(error: object): DatabaseErrorKind {
  if (error instanceof DatabaseUnavailableError || isConnectionFailure(error)) return 'transient';
  const code = codeOf(error);
  if (code === undefined || !SQLSTATE.test(code)) return 'bug';
  const group = code.slice(0, 2);
  if (TRANSIENT_CLASSES.has(group) || TRANSIENT_STATES.has(code)) return 'transient';
  return DATA_CLASSES.has(group) ? 'data' : 'bug';
}

function isConnectionFailure(error: object): boolean {
  const code = codeOf(error);
  if (code !== undefined && SOCKET_CODES.has(code)) return true;
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  return code === undefined && DRIVER_MESSAGES.some((text) => message.startsWith(text));
}

function codeOf(error: object): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The error and what it wraps, outermost first; bounded, and safe against cycles. */
function chainOf(error: unknown): object[] {
  const found: object[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && found.length < MAX_CAUSES) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || found.includes(next)) continue;
    found.push(next);
    if ('driverError' in next) open.push(next.driverError);
    if ('cause' in next) open.push(next.cause);
    if ('errors' in next && Array.isArray(next.errors)) open.push(...(next.errors as unknown[]));
  }
  return found;
}

/**
 * Whether a start may succeed later: the database or a socket is in trouble, or the error (or what caused it)
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
