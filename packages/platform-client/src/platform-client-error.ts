/**
 * Technical faults on this side of the wire. All of them but the last are permanent, and nothing was sent: the same
 * call would fail in the same way.
 *
 * - `REQUEST_NOT_POSSIBLE`: the request cannot be written (an empty reference, a header that HTTP does not allow), or
 *   the client is closed
 * - `CORE_KEY_MISSING`: a core route was called for a tenant without `coreApiKey`
 * - `CONTENT_NOT_READABLE`: the content of an upload could not be read to its end, or is not as long as it said; the
 *   body was cut off, so that the platform cannot have taken it; `cause` is the reader's error
 */
export type PlatformClientErrorCode = 'REQUEST_NOT_POSSIBLE' | 'CORE_KEY_MISSING' | 'CONTENT_NOT_READABLE';

export class PlatformClientError extends Error {
  override readonly name = 'PlatformClientError';
  readonly code: PlatformClientErrorCode;

  constructor(code: PlatformClientErrorCode, cause?: unknown) {
    super(`The platform call was not made: ${code}`, { cause });
    this.code = code;
  }
}

const CLIENT_FAULTS = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/** Whether an error of the HTTP library comes from the request or from a closed client, not from the network. */
export function isClientFault(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && CLIENT_FAULTS.has(error.code);
}
