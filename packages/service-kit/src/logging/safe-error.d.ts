/** The parts of an error that may leave the process: no stack, no personal data, no values of rows. */
export interface SafeError {
  name: string;
  code: string | null;
  message: string;
}
/**
 * Reduces an error to the parts that may be logged or shown to an operator. `code` is the error's own, else that of
 * its cause. Accepts any thrown value.
 */
export declare function safeError(error: unknown): SafeError;
/** An error's own code, such as `ENOENT` or a SQLSTATE. */
export declare function codeOf(error: unknown): string | null;
