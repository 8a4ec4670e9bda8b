import { isPlainRecord, type JsonValue, tryParseWithDigits, valueAtPath } from '@gondola/shared/json/json-digits';
import { orderStatusCode } from '@gondola/shared/orders/order-statuses';

/**
 * Reads the answer of `GET /v1/Orders/{orderNumber}/status`, whose body the platform does not document: a bare number
 * or text, or the first of the profile's paths that holds a status. A text is a status code in digits or a documented
 * status name.
 *
 * @param bodyText the body as received; text without JSON quotes is read too
 * @param paths field names joined by dots, from the wire profile
 * @returns the status code, undefined when there is none to be found (docs/platform.md, "Orders")
 */
export function readOrderStatus(bodyText: string, paths: readonly string[]): number | undefined {
  const value = tryParseWithDigits(bodyText) ?? bodyText;
  if (!isPlainRecord(value)) return statusOf(value);
  for (const path of paths) {
    const status = statusOf(valueAtPath(value, path));
    if (status !== undefined) return status;
  }
  return undefined;
}

function statusOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return isStatusCode(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const code = /^\d{1,9}$/.test(text) ? Number(text) : orderStatusCode(text);
  return code !== null && isStatusCode(code) ? code : undefined;
}

/** 0 is what wrappers answer for "no error", never a status. */
function isStatusCode(code: number): boolean {
  return Number.isSafeInteger(code) && code > 0;
}
