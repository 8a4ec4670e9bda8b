// A separate process that decodes pictures, because hostile content may exhaust a decoder's memory or crash it, and
// the app must survive that. Each content is one frame on standard input: the length of its media type (one byte),
// its length (four bytes), the media type, the content. Each answer is one line, a judgement. The process ends without
// an answer if it lacks what a judgement needs, such as memory; its standard error says what.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { type ContentFault, type Judgement, judgementText } from '../uploads/content-verdict.ts';
import { pdfFlaw } from '../uploads/pdf-flaw.ts';
import { isOfMachine } from './decoder-end.ts';
import { hasEnd } from './picture-end.ts';
import { costOf } from './picture-header.ts';

/** Number of bytes at the beginning of a content in which viewers look for the header of a PDF. */
const HEADER_BYTES = 1_024;
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_OFFSET = 20;
const MAX_COMMENT = 65_535;
type MixedFault = Extract<ContentFault, { readonly kind: 'mixed' }>;

// A signal to the whole group (Ctrl-C, a stop of the app) must not end the judgement of a content. The process ends
// with its input, which the app closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const [maxPixels = 0, moreBytes = 0] = process.argv.slice(2).map(Number);
const HEAD_BYTES = 5;
const BYTES_OF_KB = 1_024;
const FORMATS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

sharp.cache(false);
sharp.concurrency(1);
if (process.platform === 'linux') limitMemory();
// Only these four decoders ever run, whatever type a content claims.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});

async function judge(mediaType: string, content: Buffer): Promise<Judgement> {
  const also = alsoIs(content, mediaType);
  if (also !== null) return { kind: 'mixed', also };
  if (mediaType === 'application/pdf') {
    const flaw = pdfFlaw(content);
    return flaw === 'cut-off' ? { kind: flaw } : (flaw ?? 'whole');
  }
  const format = FORMATS[mediaType];
  return format === undefined ? { kind: 'damaged' } : judgePicture(format, content);
}

async function judgePicture(format: string, content: Buffer): Promise<Judgement> {
  // Read from top to bottom, a picture needs no temporary file. The limit of pixels is checked below.
  const options = { failOn: 'error', limitInputPixels: false, animated: true, sequentialRead: true } as const;
  try {
    const header = await sharp(content, options).metadata();
    if (header.format !== format) return { kind: 'damaged' };
    const cost = costOf(header, maxPixels);
    if (cost !== null) return cost;
    // Reads every pixel of every page: neither a smaller size nor a conversion of colours is left to the decoder.
    await sharp(content, { ...options, ignoreIcc: true })
      .pipelineColourspace(header.space)
      .resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    return hasEnd(format, content) ? 'whole' : { kind: 'cut-off' };
  } catch (error) {
    if (!(error instanceof Error) || isOfMachine(error.message)) throw error;
    return { kind: hasEnd(format, content) ? 'damaged' : 'cut-off' };
  }
}

/**
 * Limits the process's own memory to what it has and `moreBytes`. Node reserves more than it ever uses, and how much
 * differs between machines, so the limit counts from there.
 */
function limitMemory(): void {
  const [, kilobytes] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const bytes = Number(kilobytes) * BYTES_OF_KB + moreBytes;
  execFileSync('prlimit', ['--pid', String(process.pid), `--data=${bytes}`]);
}

interface Frame {
  readonly mediaType: string;
  readonly content: Buffer;
  /** Number of content bytes received. */
  filled: number;
}

/** Beginning of a frame whose length is not known yet. */
let begun = Buffer.alloc(0);
let frame: Frame | null = null;
for await (const piece of process.stdin as AsyncIterable<Buffer>) {
  let rest = piece;
  while (rest.length > 0) {
    if (frame === null) {
      begun = Buffer.concat([begun, rest]);
      const start = contentStart(begun);
      if (start === null) break;
      frame = { mediaType: begun.toString('latin1', HEAD_BYTES, start), content: contentOf(begun), filled: 0 };
      rest = begun.subarray(start);
      begun = Buffer.alloc(0);
    }
    const taken = rest.copy(frame.content, frame.filled);
    frame.filled += taken;
    rest = rest.subarray(taken);
    if (frame.filled < frame.content.length) continue;
    process.stdout.write(judgementText(await judge(frame.mediaType, frame.content)));
    frame = null;
  }
}

/** Null: the head is not complete yet. */
function contentStart(bytes: Buffer): number | null {
  const start = bytes.length < HEAD_BYTES ? Infinity : HEAD_BYTES + bytes.readUInt8(0);
  return bytes.length < start ? null : start;
}

/** Allocates the whole content, so that each chunk is copied once. */
function contentOf(head: Buffer): Buffer {
  return Buffer.allocUnsafeSlow(head.readUInt32BE(1));
}

/** Names another thing that a content is as well: an archive, a PDF, or a page or program that a server would run. */
function alsoIs(content: Buffer, mediaType: string): MixedFault['also'] | null {
  if (isArchive(content)) return 'archive';
  if (mediaType === 'application/pdf') return null;
  if (content.subarray(0, HEADER_BYTES).includes('%PDF-')) return 'pdf';
  if (content.includes('<script')) return 'page';
  return content.includes('<?php') ? 'program' : null;
}

/** A ZIP archive is recognised by its end, whatever bytes precede it. */
function isArchive(content: Buffer): boolean {
  const tail = content.subarray(-(ZIP_END_BYTES + MAX_COMMENT));
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + ZIP_END_BYTES > tail.length) return false;
    if (at + ZIP_END_BYTES + tail.readUInt16LE(at + ZIP_COMMENT_OFFSET) === tail.length) return true;
  }
  return false;
}
