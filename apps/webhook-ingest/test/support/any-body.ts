import { randomUUID } from 'node:crypto';
import {
  type Arbitrary,
  constantFrom,
  integer,
  json,
  jsonValue,
  nat,
  oneof,
  record,
  string,
  uint8Array,
} from 'fast-check';
import { anyCharacter } from '@gondola/shared/testing/any-character';
import { RELATED_ENTITY_KINDS } from '@gondola/shared/topics/identities';
import { ACME, BAIRRO } from './ingest-bench.ts';

const ENTITIES = Object.keys(RELATED_ENTITY_KINDS);
const DEEPEST = 50_000;
const anyText = string({ unit: anyCharacter, maxLength: 300 });

/** Mostly the right value, sometimes another. */
function mostly<T, U>(right: Arbitrary<T>, other: Arbitrary<U>): Arbitrary<T | U> {
  return oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: other });
}

const identities = record({
  number: oneof(nat(), anyText),
  id: anyText,
  externalReference: anyText,
  skuId: jsonValue(),
});
const product = record({ product: record({ externalReference: oneof(anyText, jsonValue()) }) });

/** Envelopes that are correct except for their values. */
const nearly: Arbitrary<string> = record({
  // No text repeats: bodies that differ only in unknown fields are one event, and the bytes of the first are
  // stored.
  operationId: mostly(
    string({ unit: anyCharacter, maxLength: 200 }).map((text) => text.replaceAll('\0', '') + randomUUID()),
    oneof(
      anyText.map((text) => text + randomUUID()),
      jsonValue().filter((value) => typeof value !== 'string'),
    ),
  ),
  contractAccountId: mostly(constantFrom(ACME, ACME.toUpperCase()), constantFrom(BAIRRO, null)),
  relatedEntity: mostly(constantFrom(...ENTITIES), anyText),
  eventType: mostly(constantFrom('Order_Updated', 'Operation_Failed'), anyText),
  data: oneof(jsonValue(), identities, product),
  error: jsonValue(),
  indent: nat(2),
}).map(({ indent, ...value }) => {
  const text = JSON.stringify({ ...value, nonce: randomUUID() }, null, indent);
  // Text that no serialiser would write: digits, an escape, a duplicate name.
  return text.replace('{', '{"amount":1.10,"amount":12345678901234567890,"note":"\\u00e9\\/" ,');
});

/** Values that break readers. */
const hardValues: Arbitrary<string> = oneof(
  constantFrom('1e400', '-0', '0.1e-999', `9${'0'.repeat(5_000)}`, '01', '.5', '+1', 'NaN', 'undefined', 'nul'),
  constantFrom('"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\x"', '"\u2028"', "'x'", '"', '""', '{"__proto__":1}'),
  constantFrom('{"data":1,"data":{"number":2},"data":null}', '{"number":1,"number":2}', '{,}', '[1,]', '// x\n1'),
  integer({ min: 1, max: DEEPEST }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  integer({ min: 1, max: DEEPEST }).map((depth) => '{"a":'.repeat(depth)),
);

/** An envelope with such a value in one of its fields, or with a duplicate field. */
const hard: Arbitrary<string> = record({
  name: constantFrom('operationId', 'contractAccountId', 'relatedEntity', 'eventType', 'data', 'error', 'more'),
  value: hardValues,
  isFirst: constantFrom(true, false),
}).map(({ name, value, isFirst }) => {
  const right = `"operationId":"${randomUUID()}","contractAccountId":"${ACME}","relatedEntity":"Order",
    "eventType":"Order_Updated","data":{"number":1,"a":null,"nonce":"${randomUUID()}"}`;
  const odd = `"${name}":${value}`;
  return isFirst ? `{${odd},${right}}` : `{${right},${odd}}`;
});

/** Bytes that are no JSON, or no JSON object. */
const scraps: Arbitrary<Buffer> = oneof(
  constantFrom('', ' ', '\0', '\0'.repeat(1_000), 'null', '0', '[]', '"x"', '{', '}', '\r\n\r\n').map((text) =>
    Buffer.from(text),
  ),
  json().map((text) => Buffer.from(text)),
  uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
);

/**
 * A byte order mark of UTF-8 and of UTF-16, a NUL, and invalid UTF-8: overlong, a surrogate, a lone and a missing
 * byte.
 */
const ODD_BYTES = ['efbbbf', 'fffe', '00', 'c080', 'eda080', '80', 'c3', 'f5', 'ff'] as const;

/** An almost correct envelope with bytes inserted or cut out. */
const damaged: Arbitrary<Buffer> = record({
  text: nearly,
  at: oneof(constantFrom(0), nat()),
  cut: nat(3),
  put: oneof(
    uint8Array({ maxLength: 3 }),
    constantFrom(...ODD_BYTES).map((hex) => Buffer.from(hex, 'hex')),
  ),
}).map(({ text, at, cut, put }) => {
  const bytes = Buffer.from(text);
  const start = at % bytes.length;
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + cut)]);
});

/**
 * Any body that a sender could deliver: envelopes, almost correct envelopes, JSON of any kind, and bytes of any
 * kind.
 */
export const anyBody: Arbitrary<Buffer> = oneof(
  { weight: 4, arbitrary: nearly.map((text) => Buffer.from(text)) },
  { weight: 3, arbitrary: damaged },
  { weight: 2, arbitrary: hard.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: scraps },
);
