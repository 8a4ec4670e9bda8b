/**
 * Reasons for the failure of a session with a tenant's SFTP server.
 *
 * - `host-key`: the server's key is not a pinned one; neither user nor password was sent
 * - `credentials`: the server refuses user and password
 * - `unreachable`: no session was opened (refused, unknown host, no SSH there)
 * - `broken-off`, `timeout`: the session ended early
 * - `refused`: the server refused one request, such as a missing folder or a file that is too large
 * - `given-up`: the caller aborted
 * - `content`: the content to be written could not be read; this says nothing about the server
 */
export type SftpTrouble =
  | 'host-key'
  | 'credentials'
  | 'unreachable'
  | 'broken-off'
  | 'timeout'
  | 'refused'
  | 'given-up'
  | 'content';

export class SftpError extends Error {
  override readonly name = 'SftpError';

  /** @param detail for operators: the server's key or its message, without file names */
  constructor(
    readonly code: SftpTrouble,
    readonly detail: string | null = null,
    cause?: unknown,
  ) {
    super(`The SFTP session failed: ${code}`, { cause });
  }
}
