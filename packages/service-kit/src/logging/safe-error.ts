import { types } from 'node:util';
import { scrubText } from './scrub.ts';

/** What leaves the process of an error: no stack, no personal data, no values of rows. */
export interface SafeError {
  name: string;
  code: string | null;
  message: string;
}

const MAX_MESSAGE = 500;

/**
 * An error reduced to what may be logged or shown to an operator. `code` is the error's own, else its cause's.
 * Takes anything that can be thrown.
 */
export function safeError(error: unknown): SafeError {
  if (!isError(error)) {
    return { name: typeof error, code: null, message: scrubText(typeof error === 'string' ? error : '', MAX_MESSAGE) };
  }
  const code = codeOf(error) ?? codeOf(error.cause) ?? firstCode(error);
  return { name: error.name, code, message: scrubText(withoutValues(error, code), MAX_MESSAGE) };
}

/** Whether it is an error, of whichever realm: Node's own errors are of another one than a test's. */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || value instanceof Error;
}

/** An error's own code, such as `ENOENT` or a SQLSTATE. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.length <= 64 ? error.code : null;
}

/**
 * PostgreSQL (class 22) and JSON.parse quote the value they choke on, which may be a customer's name that no pattern
 * recognises: everything from the quotation on is cut.
 */
function withoutValues(error: Error, code: string | null): string {
  const quotesInput = error.name === 'SyntaxError' || (code !== null && /^22[0-9A-Z]{3}$/.test(code));
  return quotesInput ? error.message.replace(/["'].*$/s, '[removed]') : error.message;
}

function firstCode(error: Error): string | null {
  if (!('errors' in error) || !Array.isArray(error.errors)) return null;
  return (error.errors as unknown[]).map(codeOf).find((code) => code !== null) ?? null;
}
