import { statusCode } from '../orders/order-status.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import { BadInput } from '../values/bad-input.ts';
import { isJsonObject, keyOf, numberText, type Json } from '../values/exact-json.ts';

/**
 * Code of the status that the body names, or the name itself if it is unknown and the core is to refuse it
 * (docs/platform.md, "Behaviour rules" 1).
 */
export function statusOfBody(body: Json, { statusKey, unknownStatus }: Behaviour): number | string {
  const name = statusKey === '' ? body : isJsonObject(body) ? keyOf(body, statusKey) : undefined;
  if (typeof name === 'string') {
    const status = statusCode(name);
    if (status !== undefined) return status;
    if (unknownStatus === 'by-event') return name;
  }
  const shape = statusKey === '' ? '"<name of a status>"' : `{ "${statusKey}": "<name of a status>" }`;
  throw new BadInput('STATUS_UNKNOWN', `The body must be ${shape}`);
}

export function checkReason(body: Json, { cancelReasonKey }: Behaviour): void {
  if (cancelReasonKey === null) return;
  const reason = isJsonObject(body) ? keyOf(body, cancelReasonKey) : undefined;
  if (typeof reason === 'string' && reason.trim() !== '') return;
  throw new BadInput('REASON_MISSING', `The body must be { "${cancelReasonKey}": "<text>" }`);
}

export function numberInBody(body: Json): string {
  const number = isJsonObject(body) ? keyOf(body, 'orderNumber') : undefined;
  return typeof number === 'string' ? number : (numberText(number) ?? '');
}
