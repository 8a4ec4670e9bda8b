export type LocalStackErrorCode =
  | 'JAVA_MISSING'
  | 'JAVA_TOO_OLD'
  | 'MAVEN_MISSING'
  | 'DOWNLOAD_FAILED'
  | 'POSTGRES_MISSING'
  | 'POSTGRES_DAMAGED'
  | 'FOLDER_UNREACHABLE'
  | 'FOLDER_IN_USE'
  | 'PORT_TAKEN'
  | 'SERVER_FAILED'
  | 'START_TIMEOUT'
  | 'PROCESS_FAILED'
  | 'WAIT_TIMEOUT'
  | 'NO_TEST_STACK';

/**
 * A technical failure of the local stack: `code` for programs, `message` for people: one sentence and, if there is
 * one, the tail of a log.
 */
export class LocalStackError extends Error {
  readonly code: LocalStackErrorCode;

  constructor(code: LocalStackErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'LocalStackError';
    this.code = code;
  }
}
