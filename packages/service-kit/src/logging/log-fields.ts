/**
 * The only field names that are logged. The values of a listed field cannot be personal data: identities of
 * Gondola's and the merchant's records, counts, durations, states. A new field is one line here; an unlisted field
 * is dropped and counted in `dropped`.
 */
export const LOG_FIELDS: ReadonlySet<string> = new Set([
  // the process
  'app',
  'version',
  'pid',
  'component',
  'context',
  'startable',
  'check',
  'signal',
  'exitCode',
  'host',
  'port',
  'schema',
  // The name of a file of the app's own.
  'file',
  'migration',
  'migrations',
  'profile',
  'variable',
  // the work
  'tenant',
  'topic',
  'partition',
  'offset',
  'firstOffset',
  'lastOffset',
  'group',
  'memberId',
  'generation',
  'lag',
  'kind',
  'lane',
  'laneId',
  'epoch',
  'entityKind',
  'externalReference',
  'skuExternalReference',
  'orderNumber',
  'commandId',
  'command',
  'recordId',
  'loadId',
  'uploadId',
  'dedupKey',
  'operationId',
  'operationIds',
  'eventType',
  'relatedEntity',
  'contractAccountId',
  'outcome',
  'evidence',
  'reasonCode',
  'code',
  'disposition',
  'state',
  'step',
  'revision',
  'redrive',
  'deadLetterId',
  'quarantineId',
  'outboxId',
  // amounts and times
  'count',
  'records',
  'rows',
  'items',
  'tenants',
  'bytes',
  'limit',
  'attempt',
  'attempts',
  'ms',
  'durationMs',
  'waitMs',
  'retryInMs',
  'pausedMs',
  'dueInMs',
  'ageMs',
  'timeoutMs',
  // HTTP and tracing
  'method',
  'route',
  'status',
  'statusCode',
  'requestId',
  // The name of a token, never its value.
  'token',
  // Who acted at the console, never a customer.
  'operator',
  // The id of an operator at the provider of OpenID Connect, and the address from which somebody signed in.
  'operatorSubject',
  'callerAddress',
  'traceId',
  'traceparent',
]);

/** Fields with text written by people or libraries: logged, but scrubbed like a message. */
export const LOG_TEXT_FIELDS: ReadonlySet<string> = new Set(['reason', 'hint', 'detail']);

/** Fields that hold an error; it becomes `{ name, code, message }`. */
export const LOG_ERROR_FIELDS: ReadonlySet<string> = new Set(['err', 'error', 'cause']);
