/**
 * The one place that classifies a failure of the database. All code that retries, isolates or gives up database
 * work calls it.
 *
 * - `transient`: the same work may succeed later (server away, frozen, restarting, deadlock, time-out)
 * - `data`: the values of this row are the cause; the server works (SQLSTATE classes 22, 23 and 54)
 * - `bug`: everything else, such as invalid SQL, a fault of the installation, or an error that does not come from the
 *   database
 */
export type DatabaseErrorKind = 'transient' | 'data' | 'bug';

/**
 * 08 connection, 40 rollback (deadlock, serialization), 53 resources, 57 operator intervention and cancelled
 * statements.
 */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '57']);
/**
 * States outside those classes: lock not available, read-only (an old primary after a failover), idle time-outs,
 * I/O error.
 */
const TRANSIENT_STATES = new Set(['55P03', '25006', '25P03', '25P04', '58030']);
/** 22 values, 23 constraints, 54 limits of the server, such as the size of an index row. */
const DATA_CLASSES = new Set(['22', '23', '54']);

const UNIQUE_VIOLATION = '23505';
/** Names of identity columns that are a primary key; no other primary key is one of them alone. */
export const IDENTITY_KEYS = ['id', 'seq'];
const IDENTITY_DETAIL = new RegExp(`^[^(]*\\((${IDENTITY_KEYS.join('|')})\\)=\\(\\d+\\)`);

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

/** pg and pg-pool give these errors no code, so they are recognised by their texts (pg 8.23, pg-pool 3.14). */
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

/**
 * Thrown by `Database` before it is connected and after it is closed, when no driver error exists. Always
 * transient.
 */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * Classifies a failure of the database. Total: accepts any thrown value. Examines `cause`, TypeORM's `driverError`
 * and the members of an `AggregateError`; the outermost class other than `bug` is returned.
 */
export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  for (const candidate of chainOf(error)) {
    const kind = kindOf(candidate);
    if (kind !== 'bug') return kind;
  }
  return 'bug';
}

/**
 * True if the connection with this error can no longer be trusted and must be destroyed: after a time-out or a
 * broken socket, an answer may still arrive or a statement may still run.
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

/**
 * The table and column of an identity whose sequence drew a value that a row has already; null for any other error.
 * No record is the cause: the sequence stands behind its table, as logical replication leaves it. The error names no
 * column but in its detail, whose words are in the server's language.
 */
export function takenIdentityOf(error: unknown): { readonly table: string; readonly column: string } | null {
  for (const candidate of chainOf(error)) {
    const { code, constraint, table, detail } = candidate as Partial<Record<string, unknown>>;
    const [, column] = typeof detail === 'string' ? (IDENTITY_DETAIL.exec(detail) ?? []) : [];
    if (code !== UNIQUE_VIOLATION || typeof table !== 'string' || column === undefined) continue;
    if (constraint === `${table}_pkey`) return { table, column };
  }
  return null;
}

function kindOf(error: object): DatabaseErrorKind {
  if (error instanceof DatabaseUnavailableError || isConnectionFailure(error)) return 'transient';
  if (takenIdentityOf(error) !== null) return 'bug';
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

/** PostgreSQL's five-character error code; undefined if the error is not PostgreSQL's. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' && SQLSTATE.test(code) ? code : undefined;
}

function codeOf(error: object): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The error and the errors that it wraps, outermost first; bounded, and safe against cycles. */
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
 * True if a start may succeed later: the database or a socket failed temporarily, or the error or its cause has
 * `retriable`, as kafkajs' errors do. Any other failure is permanent: wrong credentials, a broken configuration, a
 * bug.
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
