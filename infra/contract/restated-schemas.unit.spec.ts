import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { offsetMoment } from '@gondola/shared/time';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RESTATED_PATTERNS, restated } from './testing/restated-schemas.ts';

const [POSITIVE, NO_DOT_SEGMENT, TIME] = [...RESTATED_PATTERNS].map(([before, now]) => ({
  before: new RegExp(before, 'u'),
  now: new RegExp(now, 'u'),
})) as [Pattern, Pattern, Pattern];

interface Pattern {
  readonly before: RegExp;
  readonly now: RegExp;
}

const LENGTH = { maxLength: 12 };
const numberLike = fc.string({ unit: fc.constantFrom('0', '0', '1', '9', '.', '-', 'e', '\n'), ...LENGTH });
const pathLike = fc.string({ unit: fc.constantFrom('.', '.', '/', '\\', 'a', '\n', '€', '😀', '\ud800'), ...LENGTH });

/** Texts near a time: each part in forms that serialisers write, or in a wrong one. */
const timeLike = fc
  .tuple(
    fc.constantFrom('2026', '2024', '2100', '2000', '0000', '0001', '9999', '26'),
    fc.constantFrom('-01', '-02', '-04', '-12', '-13', '-00', '-1'),
    fc.constantFrom('-01', '-28', '-29', '-30', '-31', '-32', '-00', ''),
    fc.constantFrom('T', 't', ' ', '', '  '),
    fc.constantFrom('00:00', '23:59', '10:14', '24:00', '10:60', '1:00', '10'),
    fc.constantFrom('', ':00', ':59', ':60', ':5'),
    fc.constantFrom('', '.5', ',5', '.1234567', '.123456789', '.', '.1234567890123'),
    fc.constantFrom(
      'Z',
      'z',
      '-03:00',
      '+05:30',
      '-0300',
      '+23:59',
      '+24:00',
      '-03:60',
      '',
      '-03',
      ' Z',
      'Z\n',
      '[UTC]',
    ),
  )
  .map((parts) => parts.join(''));

describe('a restated pattern', () => {
  it.each([
    ['a number above zero', POSITIVE, numberLike],
    ['a text without the segments "." and ".."', NO_DOT_SEGMENT, pathLike],
  ])('takes exactly what it took before: %s', (_what, { before, now }, texts) => {
    expect(counterexampleOf(texts, (text) => now.test(text) === before.test(text))).toBeNull();
  });

  it('takes a text of many segments that begin with dots, unless its last is one of the two', () => {
    const text = `${'.../'.repeat(100_000)}..`;
    expect(NO_DOT_SEGMENT.now.test(text)).toBe(false);
    expect(NO_DOT_SEGMENT.now.test(`${text}.`)).toBe(true);
  });

  it('takes exactly the times that are read (rule 13)', () => {
    const check = schemaCheck({ type: 'string', pattern: TIME.now.source });
    const isAgreed = (text: string) => (check(text).length === 0) === (offsetMoment(text) !== null);
    expect(counterexampleOf(fc.oneof(timeLike, fc.string()), isAgreed)).toBeNull();
  });

  it('takes each time that it took before and that was read', () => {
    const check = schemaCheck({ type: 'string', format: 'date-time', pattern: TIME.before.source });
    const isTaken = (text: string) => check(text).length > 0 || offsetMoment(text) === null || TIME.now.test(text);
    expect(counterexampleOf(timeLike, isTaken)).toBeNull();
  });
});

function counterexampleOf(texts: fc.Arbitrary<string>, holds: (text: string) => boolean): readonly string[] | null {
  return fc.check(fc.property(texts, holds), { numRuns: 20_000 }).counterexample;
}

describe('a restated schema', () => {
  it('has one object in place of several, with what each of them requires', () => {
    const schema = {
      properties: { cause: { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }, { type: 'null' }] } },
      $defs: {
        A: { type: 'object', properties: { kind: { type: 'string', enum: ['a'] } }, required: ['kind'] },
        B: {
          type: 'object',
          properties: { kind: { type: 'string', enum: ['b'] }, id: { type: 'string' } },
          required: ['kind', 'id'],
        },
      },
    };
    expect(restated(schema)['properties']).toEqual({
      cause: {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', enum: ['a', 'b'] }, id: { type: 'string' } },
            required: ['kind'],
          },
          { type: 'null' },
        ],
      },
    });
  });

  it('requires a value of the field’s type in place of one that is not null', () => {
    const present = { not: { type: 'null' } };
    expect(restated({ oneOf: [{ properties: { urls: present } }, { properties: { path: present } }] })).toEqual({
      oneOf: [{ properties: { urls: { type: 'array' } } }, { properties: { path: { type: 'string' } } }],
    });
  });

  it('has what a rule only adds to fields in the fields', () => {
    const schema = { properties: { images: { type: 'array' } }, allOf: [{ properties: { images: { minItems: 1 } } }] };
    expect(restated(schema)).toEqual({ properties: { images: { type: 'array', minItems: 1 } } });
  });
});
