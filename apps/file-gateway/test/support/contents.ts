import { randomBytes } from 'node:crypto';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PDF = Buffer.from('%PDF-1.7\n');

/** Bytes that are an image by their first ones, each time others. */
export function png(bytes = 1_000): Buffer {
  return Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);
}

/** Bytes that are a PDF by their first ones, each time others. */
export function pdf(bytes = 1_000): Buffer {
  return Buffer.concat([PDF, randomBytes(bytes - PDF.length)]);
}

export const NFE_XML = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe/></nfeProc>',
);
