/**
 * Reasons for the failure of a session with a tenant's SFTP server.
 *
 * - `host-key`: none of the server's keys is a pinned one; neither user nor password was sent
 * - `no-common-algorithm`: server and client have no key exchange, host key type, cipher or MAC in common
 * - `credentials`: the server refuses user and password
 * - `no-password`: the server lets nobody log in by a password
 * - `log-in-question`: the server asks for something besides the password, such as a code
 * - `unreachable`: no session was opened (refused, unknown host, no SSH there)
 * - `broken-off`, `timeout`: the session ended early
 * - `refused`: the server refused one request, such as a missing folder or a file that is too large
 * - `given-up`: the caller aborted
 * - `content`: the content to be written could not be read; this says nothing about the server
 */
export type SftpTrouble =
  | 'host-key'
  | 'no-common-algorithm'
  | 'credentials'
  | 'no-password'
  | 'log-in-question'
  | 'unreachable'
  | 'broken-off'
  | 'timeout'
  | 'refused'
  | 'given-up'
  | 'content';

/** Request that a server refused: to list the folder, or to look at, write, rename or remove a file. */
export type SftpStep = 'list' | 'look' | 'write' | 'rename' | 'remove';

interface SftpErrorDetails {
  /** For operators: the server's keys, algorithms or status, without file names. */
  readonly detail?: string;
  /** Only of `refused`. */
  readonly step?: SftpStep;
  readonly cause?: unknown;
}

export class SftpError extends Error {
  override readonly name = 'SftpError';
  readonly detail: string | null;
  readonly step: SftpStep | null;

  constructor(
    readonly code: SftpTrouble,
    { detail, step, cause }: SftpErrorDetails = {},
  ) {
    super(`The SFTP session failed: ${code}`, { cause });
    this.detail = detail ?? null;
    this.step = step ?? null;
  }
}

/** Reason as operators see it: a refusal with its step, `refused-write`. */
export function reasonOf({ code, step }: Pick<SftpError, 'code' | 'step'>): string {
  return step === null ? code : `${code}-${step}`;
}
