import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PDF_HEAD = Buffer.from('%PDF-1.7\n');
const PDF_TAIL = Buffer.from('\nstartxref\n0\n%%EOF\n');
/** Bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_BYTES = 12;

/** A real PNG with one pixel and this length in bytes; each call returns different bytes. */
export function png(bytes = 1_000): Buffer {
  const picture = pngOf(1, 1, deflateSync(Buffer.from([0, 1, 2, 3])));
  // A private chunk, which decoders skip.
  const padding = chunk('teSt', randomBytes(bytes - picture.length - CHUNK_BYTES));
  return Buffer.concat([picture.subarray(0, -CHUNK_BYTES), padding, picture.subarray(-CHUNK_BYTES)]);
}

const RGB_OF_8_BITS = [8, 2, 0, 0, 0];
/** With transparency, and interlaced. */
export const RGBA_OF_16_BITS = [16, 6, 0, 0, 1];

/** A PNG that claims these dimensions and this form. */
export function pngOf(width: number, height: number, rows: Buffer, form = RGB_OF_8_BITS): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(form, 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** Random bytes with the first and last bytes of a PDF; each call returns different bytes. */
export function pdf(bytes = 1_000): Buffer {
  return Buffer.concat([PDF_HEAD, randomBytes(bytes - PDF_HEAD.length - PDF_TAIL.length), PDF_TAIL]);
}

/** A comment within a PNG. */
export function textChunk(text: string): Buffer {
  return chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'));
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

export interface PdfParts {
  /** Form of its cross-reference. */
  readonly form?: 'table' | 'stream';
  /** Text among its objects. */
  readonly body?: string;
  readonly root?: string;
  /** Further entries of its trailer. */
  readonly more?: string;
  /** Bytes before its header that its offsets count. */
  readonly from?: number;
}

/** A PDF with one page and a cross-reference that leads to it. */
export function invoicePdf({
  form = 'table',
  body = '',
  root = '/Root 1 0 R',
  more = '',
  from = 0,
}: PdfParts = {}): Buffer {
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>\nendobj\n${body}\n`,
  ];
  const head = `%PDF-1.7\n${objects.join('')}`;
  const offsets = objects.map((_object, index) => '%PDF-1.7\n'.length + objects.slice(0, index).join('').length);
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const table = `xref\n0 4\n0000000000 65535 f \n${entries.join('')}trailer\n<< /Size 4 ${root} ${more} >>\n`;
  const stream = `4 0 obj\n<< /Type /XRef /Size 5 /W [1 2 1] ${root} ${more} /Length 0 >>\nstream\n\nendstream\nendobj\n`;
  return Buffer.from(`${head}${form === 'table' ? table : stream}startxref\n${from + head.length}\n%%EOF\n`, 'latin1');
}
