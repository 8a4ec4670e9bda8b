import { LocalStackError } from '@gondola/local-stack/local-stack-error';

/** A missing Java is no bug, so its sentence is enough. Any other error is printed with its stack trace. */
export function endOnLocalStackError(error: unknown): never {
  if (!(error instanceof LocalStackError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
