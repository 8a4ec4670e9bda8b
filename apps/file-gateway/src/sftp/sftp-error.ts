/**
 * Why a session with a tenant's SFTP server did not do what was asked for.
 *
 * - `host-key`: the server has another key than those that are pinned; it was given neither user nor password
 * - `credentials`: it refuses user and password
 * - `unreachable`: no session came about (refused, unknown host, no SSH there)
 * - `broken-off`, `timeout`: the session ended early
 * - `refused`: the server's no to one request, such as a folder that is missing or a file that is too large
 * - `given-up`: the caller's signal
 * - `content`: what was to be written could not be read; this says nothing about the server
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

  /**
   * @param detail for operators: the key that the server has, or its words, without names of files
   */
  constructor(
    readonly code: SftpTrouble,
    readonly detail: string | null = null,
    cause?: unknown,
  ) {
    super(`The SFTP session failed: ${code}`, { cause });
  }
}
