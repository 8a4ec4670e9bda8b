// A process of its own that decodes pictures: what comes from outside may make a decoder use up memory or end the
// process, and that must not be the app's. Each content is one frame on standard input: the length of its media type (a
// byte), its length (four bytes), the media type, the content. Each answer is one byte: `1` whole, `0` not.
import sharp from 'sharp';
import { hasEnd, isMixed } from './content-marks.ts';

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

async function isWhole(mediaType: string, content: Buffer): Promise<boolean> {
  if (isMixed(content, mediaType) || !hasEnd(content, mediaType)) return false;
  const format = FORMATS[mediaType];
  if (format === undefined) return mediaType === 'application/pdf';
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

let waiting = Buffer.alloc(0);
for await (const piece of process.stdin as AsyncIterable<Buffer>) {
  waiting = Buffer.concat([waiting, piece]);
  for (let frame = frameOf(waiting); frame !== null; frame = frameOf(waiting)) {
    waiting = waiting.subarray(frame.end);
    process.stdout.write((await isWhole(frame.mediaType, frame.content)) ? '1' : '0');
  }
}

function frameOf(bytes: Buffer): { mediaType: string; content: Buffer; end: number } | null {
  if (bytes.length < HEAD_BYTES) return null;
  const start = HEAD_BYTES + bytes.readUInt8(0);
  const end = start + bytes.readUInt32BE(1);
  if (bytes.length < end) return null;
  return { mediaType: bytes.toString('latin1', HEAD_BYTES, start), content: bytes.subarray(start, end), end };
}
