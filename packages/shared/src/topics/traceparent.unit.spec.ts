import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { childTraceparent, formatTraceparent, parseTraceparent, traceparentAtIntake } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-00`;
const random = fc.uint8Array({ minLength: 24, maxLength: 24 });

describe('traceparent', () => {
  it('reads and writes the header', () => {
    const trace = parseTraceparent(PARENT);
    expect(trace).toEqual({ traceId: TRACE, parentId: 'b7ad6b7169203331', flags: '00' });
    expect(trace && formatTraceparent(trace)).toBe(PARENT);
  });

  it('ignores what the specification says to ignore', () => {
    for (const bad of [
      undefined,
      null,
      '',
      'x',
      PARENT.toUpperCase(),
      `ff${PARENT.slice(2)}`,
      `${PARENT}-more`,
      `00-${'0'.repeat(32)}-b7ad6b7169203331-00`,
      `00-${TRACE}-${'0'.repeat(16)}-00`,
    ]) {
      expect(parseTraceparent(bad)).toBeNull();
    }
    expect(parseTraceparent(`01${PARENT.slice(2)}-more`)).toMatchObject({ traceId: TRACE });
  });

  it("makes a readable child of any random bytes, in the caller's trace where there is one", () => {
    fc.assert(
      fc.property(random, (bytes) => {
        expect(parseTraceparent(childTraceparent(null, bytes))).toMatchObject({ flags: '01' });
        expect(parseTraceparent(childTraceparent(PARENT, bytes))).toMatchObject({ traceId: TRACE, flags: '00' });
      }),
    );
    expect(parseTraceparent(childTraceparent(undefined, new Uint8Array(24)))).not.toBeNull();
    expect(() => childTraceparent(PARENT, new Uint8Array(23))).toThrow(RangeError);
  });

  it('of a record stays as it came, whatever the random bytes', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        expect(traceparentAtIntake(PARENT, () => bytes)).toBe(PARENT);
        expect(traceparentAtIntake(`01${PARENT.slice(2)}-more`, () => bytes)).toBe(PARENT);
      }),
    );
  });

  it.each([undefined, null, '', 'nonsense', `${PARENT}\0`, ` ${PARENT}`, `${PARENT}\n`])(
    'of a record is begun anew where it came as %j',
    (given) => {
      fc.assert(
        fc.property(random, (bytes) => {
          const begun = traceparentAtIntake(given, (size) => bytes.subarray(0, size));
          expect(parseTraceparent(begun)).toMatchObject({ flags: '01' });
          expect(begun).not.toContain(TRACE);
        }),
      );
    },
  );
});
