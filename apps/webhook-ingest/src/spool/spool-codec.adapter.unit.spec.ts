import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import {
  decodeSpoolFile,
  encodeFileHeader,
  encodeRecords,
  FILE_HEADER_BYTES,
  MARKER_BYTES,
  recordBytes,
} from './spool-codec.adapter.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const marker = fc.uint8Array({ minLength: MARKER_BYTES, maxLength: MARKER_BYTES }).map((array) => Buffer.from(array));
const record: fc.Arbitrary<ReceivedBody> = fc.record({
  tenant: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
  traceparent: fc.stringMatching(/^[0-9a-f-]{0,55}$/),
  receivedAt: fc.date({ noInvalidDate: true }),
  body: bytes(300),
});
const records = fc.array(record, { minLength: 1, maxLength: 6 });

function fileOf(mark: Buffer, content: readonly ReceivedBody[]): Buffer {
  return Buffer.concat([encodeFileHeader(mark), encodeRecords(mark, content)]);
}

/** Offset at which each record ends. */
function endsOf(content: readonly ReceivedBody[]): number[] {
  let end = FILE_HEADER_BYTES;
  return content.map((each) => (end += recordBytes(each)));
}

describe('a spool file', () => {
  it('gives back whatever bytes were put in, in their order', () => {
    fc.assert(
      fc.property(marker, fc.array(record, { maxLength: 6 }), (mark, content) => {
        expect(decodeSpoolFile(fileOf(mark, content))).toEqual({ records: content, damaged: [], tornBytes: 0 });
      }),
    );
  });

  it('that breaks off anywhere gives the records that are whole, and knows the rest for a torn tail', () => {
    fc.assert(
      fc.property(marker, records, fc.nat(), (mark, content, at) => {
        const file = fileOf(mark, content);
        const length = at % file.length;
        const ends = endsOf(content).filter((end) => end <= length);
        const whole = ends.at(-1) ?? (length < FILE_HEADER_BYTES ? 0 : FILE_HEADER_BYTES);
        expect(decodeSpoolFile(file.subarray(0, length))).toEqual({
          records: content.slice(0, ends.length),
          damaged: [],
          tornBytes: length - whole,
        });
      }),
    );
  });

  it('whose end the file system filled with zeros is truncated there', () => {
    fc.assert(
      fc.property(
        marker,
        fc.array(record, { maxLength: 6 }),
        fc.integer({ min: 1, max: 500 }),
        (mark, content, more) => {
          const file = Buffer.concat([fileOf(mark, content), Buffer.alloc(more)]);
          expect(decodeSpoolFile(file)).toEqual({ records: content, damaged: [], tornBytes: more });
        },
      ),
    );
    expect(decodeSpoolFile(Buffer.alloc(100))).toEqual({ records: [], damaged: [], tornBytes: 100 });
  });

  it('with any byte of a record changed gives all other records, and the place of that one', () => {
    fc.assert(
      fc.property(marker, records, fc.nat(), fc.integer({ min: 1, max: 255 }), (mark, content, at, mask) => {
        const file = fileOf(mark, content);
        const place = FILE_HEADER_BYTES + (at % (file.length - FILE_HEADER_BYTES));
        file[place]! ^= mask;
        const ends = endsOf(content);
        const hit = ends.findIndex((end) => place < end);
        expect(decodeSpoolFile(file)).toEqual({
          records: content.toSpliced(hit, 1),
          damaged: [{ start: ends[hit - 1] ?? FILE_HEADER_BYTES, end: ends[hit]! }],
          tornBytes: 0,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('with any byte of its own header changed is taken for none, whatever is in it', () => {
    fc.assert(
      fc.property(
        marker,
        records,
        fc.nat(FILE_HEADER_BYTES - 1),
        fc.integer({ min: 1, max: 255 }),
        (mark, content, at, mask) => {
          const file = fileOf(mark, content);
          file[at]! ^= mask;
          expect(decodeSpoolFile(file)).toBeNull();
        },
      ),
    );
  });

  it('of another version is not read', () => {
    const file = fileOf(Buffer.alloc(MARKER_BYTES, 7), []);
    file.write('2', 'GONDOLA SPOOL '.length);
    expect(decodeSpoolFile(file)).toBeNull();
  });

  it('takes no record from the body of another one, though the header of that one is damaged', () => {
    const forged = encodeRecords(Buffer.alloc(MARKER_BYTES, 1), [
      { tenant: 'bairro', traceparent: '', receivedAt: new Date(0), body: Buffer.from('{}') },
    ]);
    const carrier = { tenant: 'acme', traceparent: '', receivedAt: new Date(0), body: forged };
    const file = fileOf(Buffer.alloc(MARKER_BYTES, 2), [carrier]);
    file[FILE_HEADER_BYTES]! ^= 1;
    expect(decodeSpoolFile(file)).toMatchObject({ records: [], damaged: [{ end: file.length }] });
  });
});
