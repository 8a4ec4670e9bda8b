/** W3C Trace Context, the `traceparent` header only. */

export interface TraceParent {
  /** 32 hexadecimal digits, never all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, never all zero: the caller's span. */
  readonly parentId: string;
  /** Two hexadecimal digits; `01` = sampled. */
  readonly flags: string;
}

/** Number of random bytes for `childTraceparent`: 16 for a new trace, 8 for the span. */
export const TRACE_RANDOM_BYTES = 24;

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a header; null if the specification requires ignoring it. Fields of later versions are left out. */
export function parseTraceparent(text: string | null | undefined): TraceParent | null {
  if (text === null || text === undefined) return null;
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, version = '', traceId = '', parentId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (isZero(traceId) || isZero(parentId)) return null;
  return { traceId, parentId, flags };
}

/** Text of the header, in version 00. */
export function formatTraceparent(trace: TraceParent): string {
  return `00-${trace.traceId}-${trace.parentId}-${trace.flags}`;
}

/**
 * Header to send: a new span of the caller's trace, or of a new, sampled trace if the caller's is absent or
 * unreadable. `random` contains `TRACE_RANDOM_BYTES` random bytes; throws a RangeError if there are fewer.
 */
export function childTraceparent(parent: string | null | undefined, random: Uint8Array): string {
  if (random.byteLength < TRACE_RANDOM_BYTES)
    throw new RangeError(`A traceparent needs ${TRACE_RANDOM_BYTES} random bytes`);
  const trace = parseTraceparent(parent);
  const hex = Buffer.from(random.buffer, random.byteOffset, TRACE_RANDOM_BYTES).toString('hex');
  return formatTraceparent({
    traceId: trace?.traceId ?? nonZero(hex.slice(0, 32)),
    parentId: nonZero(hex.slice(32)),
    flags: trace?.flags ?? '01',
  });
}

/**
 * Header of a record and of everything that follows from it: the received one if it is readable, else that of a
 * new, sampled trace. `random` returns the requested number of random bytes.
 */
export function traceparentAtIntake(given: string | null | undefined, random: (bytes: number) => Uint8Array): string {
  const trace = parseTraceparent(given);
  return trace === null ? childTraceparent(null, random(TRACE_RANDOM_BYTES)) : formatTraceparent(trace);
}

function nonZero(hex: string): string {
  return isZero(hex) ? `${hex.slice(0, -1)}1` : hex;
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
