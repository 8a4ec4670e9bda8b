import { scrubText } from './scrub.ts';

/** What is told of an error outside the process: no stack, no personal data, no values of rows. */
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
  if (!(error instanceof Error)) {
    return { name: typeof error, code: null, message: bounded(scrubText(typeof error === 'string' ? error : '')) };
  }
  const code = codeOf(error) ?? codeOf(error.cause) ?? firstCode(error);
  return { name: error.name, code, message: bounded(scrubText(withoutValues(error, code))) };
}

/**
 * PostgreSQL (class 22) and JSON.parse quote the value they choke on, which may be a customer's name that no pattern
 * recognises: everything from the quotation on is cut.
 */
function withoutValues(error: Error, code: string | null): string {
  const quotesInput = error instanceof SyntaxError || (code !== null && /^22[0-9A-Z]{3}$/.test(code));
  return quotesInput ? error.message.replace(/["'].*$/s, '[removed]') : error.message;
}

function bounded(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}

function firstCode(error: Error): string | null {
  return error instanceof AggregateError ? (error.errors.map(codeOf).find((code) => code !== null) ?? null) : null;
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.length <= 64 ? error.code : null;
}
