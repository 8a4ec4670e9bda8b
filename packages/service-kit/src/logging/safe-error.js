import { scrubText } from './scrub.js';
const MAX_MESSAGE = 500;
/**
 * Reduces an error to the parts that may be logged or shown to an operator. `code` is the error's own, else that of
 * its cause. Accepts any thrown value.
 */
export function safeError(error) {
  if (!(error instanceof Error)) {
    return { name: typeof error, code: null, message: scrubText(typeof error === 'string' ? error : '', MAX_MESSAGE) };
  }
  const code = codeOf(error) ?? codeOf(error.cause) ?? firstCode(error);
  return { name: error.name, code, message: scrubText(withoutValues(error, code), MAX_MESSAGE) };
}
/** An error's own code, such as `ENOENT` or a SQLSTATE. */
export function codeOf(error) {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.length <= 64 ? error.code : null;
}
/**
 * Cuts everything from the quotation on: PostgreSQL (class 22) and JSON.parse quote the invalid value, which may be
 * a customer's name that no pattern recognises.
 */
function withoutValues(error, code) {
  const quotesInput = error.name === 'SyntaxError' || (code !== null && /^22[0-9A-Z]{3}$/.test(code));
  return quotesInput ? error.message.replace(/["'].*$/s, '[removed]') : error.message;
}
function firstCode(error) {
  if (!('errors' in error) || !Array.isArray(error.errors)) return null;
  return error.errors.map(codeOf).find((code) => code !== null) ?? null;
}
//# sourceMappingURL=safe-error.js.map
