import { isJsonArray, isJsonObject, numberText, type Json, type JsonObject } from '../values/exact-json.ts';

/** A field that no document defines, added to every object (docs/platform.md, "Versioning" 3). */
const UNKNOWN_FIELD: JsonObject = { addedLater: { text: 'não documentado', list: [1, null], object: {} } };

/**
 * Integer enumerations, which get an unlisted code. An order's status stays, because a client without it can read
 * nothing.
 */
const ENUMERATIONS: ReadonlySet<string> = new Set(['origin', 'deliveryType', 'type', 'dataType']);
const UNKNOWN_CODE = 99;

/** The value as a later version of the platform would send it. */
export function withExtraFields(value: Json): Json {
  if (isJsonArray(value)) return value.map(withExtraFields);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, laterField(key, field)] as const);
  return { ...Object.fromEntries(fields), ...UNKNOWN_FIELD };
}

function laterField(key: string, value: Json): Json {
  return ENUMERATIONS.has(key) && numberText(value) !== undefined ? UNKNOWN_CODE : withExtraFields(value);
}
