// A separate process that decodes pictures, because hostile content may exhaust a decoder's memory or crash it, and
// the app must survive that. Each content is one frame on standard input: the length of its media type (one byte),
// its length (four bytes), the media type, the content. Each answer is one byte of `VERDICT_BYTES`.
import sharp from 'sharp';
import { hasEnd, isMixed } from './content-marks.ts';
import { type ContentVerdict, VERDICT_BYTES } from '../uploads/content-verdict.ts';
import { pdfFlaw } from '../uploads/pdf-flaw.ts';

// A signal to the whole group (Ctrl-C, a stop of the app) must not end the judgement of a content. The process ends
// with its input, which the app closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const [pixels = '0'] = process.argv.slice(2);
const HEAD_BYTES = 5;
const FORMATS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

sharp.cache(false);
sharp.concurrency(1);
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

async function verdictOf(mediaType: string, content: Buffer): Promise<ContentVerdict> {
  if (isMixed(content, mediaType) || !hasEnd(content, mediaType)) return 'broken';
  if (mediaType === 'application/pdf') return pdfFlaw(content) ?? 'whole';
  const format = FORMATS[mediaType];
  return format !== undefined && (await isPicture(format, content)) ? 'whole' : 'broken';
}

async function isPicture(format: string, content: Buffer): Promise<boolean> {
  try {
    const options = { failOn: 'error', limitInputPixels: Number(pixels), animated: true } as const;
    const metadata = await sharp(content, options).metadata();
    // Reads every pixel of every page.
    await sharp(content, { ...options, sequentialRead: true }).stats();
    return metadata.format === format;
  } catch {
    return false;
  }
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
    process.stdout.write(VERDICT_BYTES[await verdictOf(frame.mediaType, frame.content)]);
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
