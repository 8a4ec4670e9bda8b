import type { ReasonCode } from '../results/reason-codes.ts';

/** A record that asks for work without a bound, and a code that the errors of its one result have to have. */
export interface HostileJson {
  /** Its `commandId` or `recordId`. */
  readonly id: string;
  readonly text: string;
  readonly code: ReasonCode;
  /** Errors beyond those that are listed. */
  readonly isCut: boolean;
}

/**
 * JSON whose identity is readable and whose content is hostile: each has to end `invalid`, and none may hold up what
 * comes after it.
 *
 * @param own the fields that make it one of its topic's, as JSON without braces, for an id
 */
export function hostileJson(own: (id: string) => string): HostileJson[] {
  const hostile = (id: string, fields: string, code: ReasonCode, isCut = false): HostileJson => ({
    id: `hostile-${id}`,
    text: `{${own(`hostile-${id}`)},${fields}}`,
    code,
    isCut,
  });
  const keys = Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',');
  return [
    hostile('digits', `"x":1${'0'.repeat(499_998)}1`, 'LIMIT'),
    hostile('exponent', '"x":1e1000000000', 'LIMIT'),
    hostile('keys', keys, 'FIELD_UNKNOWN', true),
    hostile('entries', `"x":[${'{},'.repeat(100_000)}{}]`, 'FIELD_UNKNOWN'),
    hostile('inherited', '"__proto__":{"x":1},"constructor":1,"toString":null', 'FIELD_UNKNOWN'),
  ];
}

/** JSON of which not even the identity can be read: each has to end as a dead letter. */
export const UNREADABLE_JSON: readonly string[] = [
  `{"commandId":"${'9'.repeat(900_000)}","externalReference":"${'9'.repeat(1_000)}"}`,
  `{"commandId":"nested","externalReference":"nested","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
];
