/**
 * Technical faults on this side of the connection. All except the last are permanent, and nothing was sent: the
 * same call would fail in the same way.
 *
 * - `REQUEST_NOT_POSSIBLE`: the request cannot be written (an empty reference, a header that HTTP does not allow), or
 *   the client is closed
 * - `CORE_KEY_MISSING`: a core route was called for a tenant without `coreApiKey`
 * - `CONTENT_NOT_READABLE`: the content of an upload could not be read to its end, or its length is not the declared
 *   one; the body was cut off, so the platform cannot have accepted it; `cause` is the reader's error
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

/** True if an error of the HTTP library is caused by the request or a closed client, not by the network. */
export function isClientFault(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && CLIENT_FAULTS.has(error.code);
}
