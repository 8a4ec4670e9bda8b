import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeUtf8 } from './json-digits.ts';
import {
  type EnvelopeScan,
  type EnvelopeSpans,
  scanEnvelope,
  scanEnvelopeInside,
  spanBytes,
  wantedNames,
} from './span-scanner.ts';
import { jsonStringText, jsonText } from '../testing/arbitrary-json.ts';
import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from '../testing/growth.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

const envelopeText = fc
  .tuple(
    space,
    fc.array(fc.tuple(space, jsonStringText, space, space, jsonText({ spaced: true }), space), { maxLength: 6 }),
    space,
  )
  .map(
    ([before, members, after]) =>
      `${before}{${members.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`).join(',')}}${after}`,
  );

function textOf(bytes: Uint8Array, scan: EnvelopeScan, key: string): string | undefined {
  const span = scan.ok ? spanBytes(bytes, scan.spans.get(key)) : null;
  return span === null ? undefined : decodeUtf8(span);
}

function textsOf(bytes: Uint8Array, spans: EnvelopeSpans): [string, string | undefined][] {
  return [...spans].map(([key, span]) => [key, decodeUtf8(spanBytes(bytes, span)!)]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const nested = (levels: number): Uint8Array => encode(`{"data":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);

describe('span scanner', () => {
  it('finds spans that parse to what the whole parses to, for any object however it is written (rule 1)', () => {
    fc.assert(
      fc.property(envelopeText, (text) => {
        const bytes = encode(text);
        const scan = scanEnvelope(bytes);
        const whole = JSON.parse(text) as Record<string, unknown>;
        expect(scan.ok && [...scan.spans.keys()].toSorted()).toEqual(Object.keys(whole).toSorted());
        for (const [key, value] of Object.entries(whole)) {
          expect(JSON.parse(textOf(bytes, scan, key) ?? '')).toEqual(value);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives the bytes as they came: without the space around them, with the digits and escapes in them (rule 1)', () => {
    const bytes = encode('\n{ "operationId":"o" , "data" : { "v" : 1.10, "é": "\\u00e9" }\t, "error":null}\r\n');
    const scan = scanEnvelope(bytes);
    expect(textOf(bytes, scan, 'data')).toBe('{ "v" : 1.10, "é": "\\u00e9" }');
    expect(textOf(bytes, scan, 'error')).toBe('null');
    expect(textOf(bytes, scan, 'contractAccountId')).toBeUndefined();
  });

  it('accepts exactly what JSON.parse accepts, one changed byte included', () => {
    const changed = fc
      .tuple(envelopeText, fc.nat(), fc.constantFrom(...Array.from('{}[]",:\\0-+.eE1tn u\t')), fc.constantFrom(0, 1))
      .map(([text, at, character, removed]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + character + text.slice(index + removed);
      })
      .filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(changed, (text) => {
        const value = parsed(text);
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        expect(scanEnvelope(encode(text)).ok).toBe(isObject);
      }),
      { numRuns: 3000 },
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof scanEnvelope(bytes).ok).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });

  it('reads keys by their meaning, and a key given twice by its last value, as JSON.parse does', () => {
    const bytes = encode('{"data":1,"d\\u0061ta":2,"__proto__":3}');
    const scan = scanEnvelope(bytes);
    expect(textOf(bytes, scan, 'data')).toBe('2');
    expect(textOf(bytes, scan, '__proto__')).toBe('3');
    expect(textOf(bytes, scan, 'toString')).toBeUndefined();
  });

  it('finds within one value, in the same pass, what a scan of that value alone finds, and accepts neither more nor less', () => {
    const value = fc.oneof(envelopeText, jsonText({ spaced: true }), fc.constantFrom('{', '{"a":1,}', '', '[{}]'));
    const whole = fc
      .array(fc.tuple(fc.constantFrom('data', 'd\\u0061ta', 'error'), value), { minLength: 1, maxLength: 3 })
      .map((members) => `{${members.map(([key, text]) => `"${key}": ${text} `).join(',')}}`);
    fc.assert(
      fc.property(whole, (text) => {
        const bytes = encode(text);
        const alone = scanEnvelope(bytes);
        const scan = scanEnvelopeInside(bytes, 'data');
        expect(scan).toMatchObject(alone);
        const data = alone.ok ? spanBytes(bytes, alone.spans.get('data')) : null;
        const wanted = data === null ? null : scanEnvelope(data);
        const found = scan.ok && scan.inside !== null ? textsOf(bytes, scan.inside) : null;
        expect(found).toEqual(data !== null && wanted?.ok === true ? textsOf(data, wanted.spans) : null);
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts its spans from the first byte received, a byte order mark included', () => {
    const bytes = encode('\ufeff{"data":{}}');
    expect(scanEnvelope(bytes)).toEqual({ ok: true, spans: new Map([['data', { start: 11, end: 13 }]]) });
    expect(textOf(bytes, scanEnvelope(bytes), 'data')).toBe('{}');
  });

  it.each([
    ['', 'not-json'],
    ['{"a":1', 'not-json'],
    ['{"a":1}x', 'not-json'],
    ['{"a":1,}', 'not-json'],
    ['{a:1}', 'not-json'],
    ['{"a":01}', 'not-json'],
    ['{"a":"\t"}', 'not-json'],
    ['{"a":"\\x"}', 'not-json'],
    ['{"a":nul}', 'not-json'],
    ['[1,2]', 'not-an-object'],
    [' "text" ', 'not-an-object'],
    ['[1,2', 'not-json'],
  ])('says why %j is no envelope', (text, reason) => {
    expect(scanEnvelope(encode(text))).toMatchObject({ ok: false, reason });
  });

  it('refuses what is not UTF-8, which JSON.parse after a lenient decoder would have changed', () => {
    const bytes = Uint8Array.of(...encode('{"data":"'), 0xe9, ...encode('"}'));
    expect(scanEnvelope(bytes)).toMatchObject({ ok: false, reason: 'not-utf8' });
  });

  it('follows 256 levels, the envelope included, and says so of deeper ones', () => {
    expect(scanEnvelope(nested(256)).ok).toBe(true);
    expect(scanEnvelope(nested(257))).toMatchObject({ ok: false, reason: 'too-deep' });
    expect(scanEnvelope(nested(1_000_000))).toMatchObject({ ok: false, reason: 'too-deep' });
  });
});

/** A name with some of its characters as `\\u00XX`. */
function escaped(name: string, isEscaped: readonly boolean[]): string {
  return name.replaceAll(/./g, (character, index: number) =>
    isEscaped[index] ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
  );
}

describe('scanEnvelope, of the keys that are wanted', () => {
  const names = ['data', 'error', 'operationId', 'x'];
  const wanted = wantedNames(...names);
  it('finds what it finds when it is asked for all, and nothing else, however keys are escaped', () => {
    const someName = fc.tuple(fc.constantFrom(...names), fc.array(fc.boolean(), { maxLength: 12 }));
    const key = fc.oneof(
      someName.map(([name, isEscaped]) => `"${escaped(name, isEscaped)}"`),
      jsonStringText,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(key, jsonText({ spaced: true })), { maxLength: 8 }), (members) => {
        const bytes = encode(`{${members.map(([text, value]) => `${text}:${value}`).join(',')}}`);
        const all = scanEnvelope(bytes);
        const some = scanEnvelope(bytes, wanted);
        expect(some.ok).toBe(all.ok);
        if (!some.ok || !all.ok) return;
        const expected = [...all.spans].filter(([name]) => names.includes(name));
        expect(Object.fromEntries(some.spans)).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it.each(['"\\u0064ata"', '"d\\u0061t\\u0061"', '"\\u0064\\u0061\\u0074\\u0061"'])('knows %s', (key) => {
    const scan = scanEnvelope(encode(`{${key}:1,"\\n":2,"dat\\u00e1":3,"\\u0164ata":4}`), wanted);
    expect(scan.ok ? [...scan.spans.keys()] : scan.reason).toEqual(['data']);
  });

  describe.each<[string, (index: number) => string]>([
    ['escaped', (index) => `"\\n${100_000 + index}":1`],
    ['escaped as a whole', (index) => `"\\u0064\\u00${(16 + (index % 200)).toString(16)}":1`],
    ['plain', (index) => `"${100_000 + index}":1`],
  ])('that are %s', (_, member) => {
    const envelope = (count: number) => {
      const members = Array.from({ length: count }, (_each, index) => member(index));
      return Buffer.from(`{${members.join(',')},"data":{${members.join(',')}}}`);
    };

    it('reads the keys in time that at most triples when they double', async () => {
      const [small, large] = [envelope(5_000), envelope(DOUBLED_THRICE * 5_000)];
      const growth = await growthOf(
        () => scanEnvelopeInside(small, 'data', wanted),
        () => scanEnvelopeInside(large, 'data', wanted),
        TRIPLED_THRICE,
      );
      expect(growth).toBeLessThanOrEqual(TRIPLED_THRICE);
    });

    it('makes text of no key that cannot be one of the names', () => {
      const bytes = envelope(1_000);
      const texts = jest.spyOn(bytes, 'toString');
      expect(scanEnvelopeInside(bytes, 'data', wanted)).toMatchObject({ ok: true, inside: new Map() });
      expect(texts.mock.results.map(({ value }) => value as string).filter((text) => text !== '')).toEqual(['data']);
    });
  });
});
