import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checksum } from '@gondola/kafka/wire/checksum';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { decodeSpoolFile, encodeRecords } from './spool-codec.adapter.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const record: fc.Arbitrary<ReceivedBody> = fc.record({
  tenant: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
  traceparent: fc.stringMatching(/^[0-9a-f-]{0,55}$/),
  receivedAt: fc.date({ noInvalidDate: true }),
  body: bytes(300),
});
const records = fc.array(record, { minLength: 1, maxLength: 6 });

/** Offset at which each record ends. */
function endsOf(content: readonly ReceivedBody[]): number[] {
  let end = 0;
  return content.map((each) => (end += encodeRecords([each]).length));
}

const carrierOf = (body: Buffer): ReceivedBody => ({ tenant: 'acme', traceparent: '', receivedAt: new Date(0), body });

describe('a spool file', () => {
  it('gives back whatever bytes were put in, in their order', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), (content) => {
        expect(decodeSpoolFile(encodeRecords(content))).toEqual({ records: content, damaged: [], tornBytes: 0 });
      }),
    );
  });

  it('holds each record in a line of its own', () => {
    fc.assert(
      fc.property(records, (content) => {
        const lines = encodeRecords(content).toString('latin1').split('\n');
        expect(lines.filter((line) => line !== '')).toHaveLength(content.length);
      }),
    );
  });

  it('that breaks off anywhere gives the records that are whole, and knows the rest for a torn tail', () => {
    fc.assert(
      fc.property(records, fc.nat(), (content, at) => {
        const file = encodeRecords(content);
        const length = at % file.length;
        const ends = endsOf(content).filter((end) => end <= length);
        // The line end before a record that broke off is whole.
        const tornBytes = Math.max(0, length - (ends.at(-1) ?? 0) - 1);
        expect(decodeSpoolFile(file.subarray(0, length))).toEqual({
          records: content.slice(0, ends.length),
          damaged: [],
          tornBytes,
        });
      }),
    );
  });

  it('whose end the file system filled with zeros is truncated there', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.integer({ min: 1, max: 500 }), (content, more) => {
        const file = Buffer.concat([encodeRecords(content), Buffer.alloc(more)]);
        expect(decodeSpoolFile(file)).toEqual({ records: content, damaged: [], tornBytes: more });
      }),
    );
    expect(decodeSpoolFile(Buffer.alloc(100))).toEqual({ records: [], damaged: [], tornBytes: 100 });
  });

  it('with any byte changed gives all records but that one, whose line is damaged', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (content, at, mask) => {
        const file = encodeRecords(content);
        const place = at % file.length;
        file[place]! ^= mask;
        const hit = endsOf(content).findIndex((end) => place < end);
        const { records: read, damaged, tornBytes } = decodeSpoolFile(file);
        expect(read).toEqual(content.toSpliced(hit, 1));
        expect({ isDamaged: damaged.length > 0, tornBytes }).toEqual({ isDamaged: true, tornBytes: 0 });
      }),
      { numRuns: 1_000 },
    );
  });

  it('whose last line end was changed is damaged there, not torn: its delivery was answered', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 255 }), (content, mask) => {
        const file = encodeRecords(content);
        file[file.length - 1]! ^= mask;
        expect(decodeSpoolFile(file)).toMatchObject({ records: content.slice(0, -1), tornBytes: 0 });
      }),
    );
  });

  it('of another form is damaged as a whole, and nothing of it is dropped', () => {
    const other = Buffer.from('GONDOLA SPOOL 9: of a later version');
    expect(decodeSpoolFile(other)).toEqual({ records: [], damaged: [other], tornBytes: 0 });
  });

  it('takes no record from the body of another one, though the line of that one is damaged', () => {
    const forged = encodeRecords([{ ...carrierOf(Buffer.from('{}')), tenant: 'bairro' }]);
    const file = encodeRecords([carrierOf(forged)]);
    file[1]! ^= 1;
    expect(decodeSpoolFile(file)).toMatchObject({ records: [], tornBytes: 0 });
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = encodeRecords([carrierOf(forged)]);
        changed[at % changed.length]! ^= mask;
        expect(decodeSpoolFile(changed).records).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['{', 'null', '[]', '"acme"', '{"tenant":"acme","traceparent":"","receivedAt":"2026-11-26T00:00:00Z"}'])(
    'takes %s for no record, although its checksum fits',
    (json) => {
      const sum = checksum(Buffer.from(json)).toString(16).padStart(8, '0');
      const line = Buffer.from(`${sum} ${json}`);
      expect(decodeSpoolFile(Buffer.concat([line, Buffer.from('\n')]))).toMatchObject({ records: [], damaged: [line] });
    },
  );
});
