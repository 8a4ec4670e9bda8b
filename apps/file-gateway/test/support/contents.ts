import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PDF_HEAD = Buffer.from('%PDF-1.7\n');
const PDF_TAIL = Buffer.from('\nstartxref\n0\n%%EOF\n');
/** Of a chunk besides its data: length, type and sum. */
const CHUNK_BYTES = 12;

/** A real PNG of one pixel and of so many bytes, each time another. */
export function png(bytes = 1_000): Buffer {
  const picture = pngOf(1, 1, deflateSync(Buffer.from([0, 1, 2, 3])));
  // A private chunk, which decoders skip.
  const padding = chunk('teSt', randomBytes(bytes - picture.length - CHUNK_BYTES));
  return Buffer.concat([picture.subarray(0, -CHUNK_BYTES), padding, picture.subarray(-CHUNK_BYTES)]);
}

/** A PNG that says it has so many pixels. */
export function pngOf(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** Bytes that are a PDF by their first and last ones, each time others. */
export function pdf(bytes = 1_000): Buffer {
  return Buffer.concat([PDF_HEAD, randomBytes(bytes - PDF_HEAD.length - PDF_TAIL.length), PDF_TAIL]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

export const NFE_XML = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe/></nfeProc>',
);
