import { isJsonArray, isJsonObject, numberText, type Json } from '../values/exact-json.ts';
import { withExtraFields } from './extra-fields.ts';
import type { PayloadChange } from './fault.ts';

const CHANGES: Readonly<Record<PayloadChange, (value: Json) => Json>> = {
  'status-as-text': withStatusAsText,
  'null-lists': withNullLists,
  'extra-fields': withExtraFields,
};

/** An answer, or the envelope of a notification, after these changes. */
export function changedPayload(value: Json, changes: readonly PayloadChange[]): Json {
  return changes.reduce((changed, change) => CHANGES[change](changed), value);
}

/** Where an order's status stands in the answers of the sandbox, and in `data` of a notification. */
const STATUS_KEYS: ReadonlySet<string> = new Set(['status', 'code']);

/** An order's status as text: the whole answer, its `status` or `code`, or that of its `data`. */
function withStatusAsText(value: Json): Json {
  const text = numberText(value);
  if (text !== undefined) return text;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (key === 'data') return [key, withStatusAsText(field)];
      return [key, STATUS_KEYS.has(key) ? (numberText(field) ?? field) : field];
    }),
  );
}

/** Each list of an object is null, at any depth. */
function withNullLists(value: Json): Json {
  if (isJsonArray(value)) return value.map(withNullLists);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, isJsonArray(field) ? null : withNullLists(field)]),
  );
}
