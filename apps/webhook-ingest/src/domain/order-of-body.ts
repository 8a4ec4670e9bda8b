import { isRelatedEntity, notificationIdentity, subjectOf } from '@gondola/shared/topics/identities';
import { decodeUtf8, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { scanEnvelope, spanBytes, wantedNames } from '@gondola/shared/json/span-scanner';
import { identityFields } from './identity-fields.ts';

const WANTED = wantedNames('data', 'relatedEntity');

/** Longer than any entity's name, with its quotes. */
const MAX_NAME_BYTES = 64;

/**
 * The order that a body in quarantine is about, as `ce_subject` would name it; null where none can be read. A body that
 * does not say which entity it is about is an order's if its `data` has an order's number: better one content too many
 * erased than one too few. Pure.
 */
export function orderOfBody(body: Uint8Array): string | null {
  const scan = scanEnvelope(body, WANTED);
  if (!scan.ok) return null;
  const data = spanBytes(body, scan.spans.get('data'));
  if (data === null) return null;
  const name = spanBytes(body, scan.spans.get('relatedEntity'));
  const entity = name === null || name.byteLength > MAX_NAME_BYTES ? null : tryParseWithDigits(decodeUtf8(name) ?? '');
  if (entity !== 'Order' && isRelatedEntity(entity)) return null;
  const identity = notificationIdentity('Order', identityFields(data));
  return identity === null ? null : subjectOf(identity);
}
