// A process of its own that decodes pictures: what comes from outside may make a decoder use up memory or end the
// process, and that must not be the app's. Each content is one frame on standard input: the length of its media type (a
// byte), its length (four bytes), the media type, the content. Each answer is one byte of
// `VERDICT_BYTES`.
import sharp from 'sharp';
import { hasEnd, isMixed } from './content-marks.ts';
import { type ContentVerdict, VERDICT_BYTES } from './content-verdict.ts';
import { pdfFlaw } from './pdf-flaw.ts';

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
// Only these four decoders are ever run, whatever a content seems to be.
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
    // Every pixel is read, of every page.
    await sharp(content, { ...options, sequentialRead: true }).stats();
    return metadata.format === format;
  } catch {
    return false;
  }
}

interface Frame {
  readonly mediaType: string;
  readonly content: Buffer;
  /** Bytes of it that have come. */
  filled: number;
}

/** The beginning of a frame whose length is not known yet. */
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

/** Null: the head has not come yet. */
function contentStart(bytes: Buffer): number | null {
  const start = bytes.length < HEAD_BYTES ? Infinity : HEAD_BYTES + bytes.readUInt8(0);
  return bytes.length < start ? null : start;
}

/** Room for the whole content, so that each of its pieces is copied once. */
function contentOf(head: Buffer): Buffer {
  return Buffer.allocUnsafeSlow(head.readUInt32BE(1));
}
