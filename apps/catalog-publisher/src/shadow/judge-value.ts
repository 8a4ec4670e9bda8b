import { type Finding, type ShadowRow, WHY_NOT } from '@gondola/shared/shadow/shadow-verdict';
import type { WireProfile } from '@gondola/platform-client/wire-profile';
import { canonicalText } from '@gondola/shared/files/content-hash';
import { decimalTextToNumberToken } from '@gondola/shared/json/digits';
import { isPlainRecord, type JsonRecord, parseRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { isRelatedEntity, RELATED_ENTITY_KINDS } from '@gondola/shared/topics/identities';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { isValueKind, VALUE_KINDS, type ValueKind, VALUES } from '@gondola/shared/topics/values';

/** A price, warehouse or stock that the shop has, by a notification of its success. */
export interface SeenValue {
  readonly kind: ValueKind;
  readonly operationId: string;
  readonly data: JsonRecord;
}

/** The value in a notification; null for any other, and for a failure. */
export function seenValue(value: Uint8Array | null): SeenValue | null {
  const envelope = readEnvelope(value);
  if (envelope === null || envelope.isFailure || !isRelatedEntity(envelope.relatedEntity)) return null;
  const kind = RELATED_ENTITY_KINDS[envelope.relatedEntity];
  const data = envelope.dataBytes === null ? null : parseRecord(envelope.dataBytes);
  if (!isValueKind(kind) || data === null || envelope.operationId === null) return null;
  return { kind, operationId: envelope.operationId, data };
}

/** Kind of the values that a route posts; null for other routes. */
export function valueKindOf(route: string): ValueKind | null {
  return VALUE_KINDS.find((kind) => VALUES[kind].route === route) ?? null;
}

/** Text that is the same for values of one SKU, policy or warehouse: what was sent, and what a notification shows. */
export function valueIdentity(kind: ValueKind, data: JsonRecord, profile: WireProfile): string {
  return canonicalText(
    Object.fromEntries(identityKeys(kind, profile).flatMap((key) => (key in data ? [[key, data[key]!]] : []))),
  );
}

function identityKeys(kind: ValueKind, profile: WireProfile): readonly string[] {
  const { identifiedBy, fields } = VALUES[kind];
  return [...new Set([...identifiedBy, ...Object.keys(profile[fields])])];
}

/** Notifications about values of one identity. */
export interface SeenValues {
  /** The eldest first. */
  readonly seen: readonly ShadowRow[];
  /** False if no notification ever showed a value of this kind. */
  readonly isShown: boolean;
}

/**
 * Finding about a value that was left out, and the notifications that it explains. One from a settle time before
 * counts, too: the other connector may be the faster one.
 */
export function judgeLeftOut(
  row: ShadowRow,
  kind: ValueKind,
  { seen, isShown }: SeenValues,
  { profile, settleMs }: { readonly profile: WireProfile; readonly settleMs: number },
): { readonly finding: Finding; readonly explains: readonly string[] } {
  const body = recordOf(row.body);
  const keys = new Set(identityKeys(kind, profile));
  const from = row.leftOutAt.getTime() - settleMs;
  const since = seen.filter(({ leftOutAt }) => leftOutAt.getTime() >= from);
  const before = seen.findLast(({ leftOutAt }) => leftOutAt.getTime() < from);
  const isEqual = (each: ShadowRow): boolean => isSame(body, recordOf(each.body), keys) === true;
  const equal = since.find(isEqual);
  if (equal !== undefined) return { finding: { kind: 'same', seenAt: equal.leftOutAt }, explains: [equal.id] };
  if (since.length === 0 && before !== undefined && isEqual(before))
    return { finding: { kind: 'same' }, explains: [before.id] };
  const last = since.at(-1);
  if (last === undefined) {
    return isShown
      ? { finding: { kind: 'only-gondola' }, explains: [] }
      : { finding: { kind: 'not-comparable', why: WHY_NOT.notShown }, explains: [] };
  }
  if (isSame(body, recordOf(last.body), keys) === null)
    return { finding: { kind: 'not-comparable', why: WHY_NOT.notShown }, explains: [last.id] };
  return { finding: { kind: 'another-value', found: last.body ?? '' }, explains: [last.id] };
}

/** Finding about a value that the shop has and that nothing explained: a repeat of what it had is no difference. */
export function judgeSeen(row: ShadowRow, seen: readonly ShadowRow[]): Finding {
  const before = seen.findLast((each) => each.verdict === 'same' && each.leftOutAt <= row.leftOutAt);
  const isRepeat = before !== undefined && isSame(recordOf(before.body), recordOf(row.body), new Set()) === true;
  return isRepeat ? { kind: 'explained' } : { kind: 'only-old' };
}

/** Null if they have nothing in common but the identity. */
function isSame(one: JsonRecord, other: JsonRecord, keys: ReadonlySet<string>): boolean | null {
  const common = Object.keys(one).filter((key) => key in other && !keys.has(key));
  if (common.length === 0) return null;
  return common.every((key) => comparable(one[key]!) === comparable(other[key]!));
}

function comparable(value: JsonRecord[string]): string {
  return canonicalText(decimalTextToNumberToken(value) ?? value);
}

function recordOf(text: string | null): JsonRecord {
  const value = text === null ? null : tryParseWithDigits(text);
  return isPlainRecord(value) ? value : {};
}
