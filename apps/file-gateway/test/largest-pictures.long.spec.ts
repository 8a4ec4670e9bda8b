import { writeFileSync } from 'node:fs';
import { peakBytes } from '@gondola/local-stack/testing/peak-memory';
import { mediaTypeOf } from '@gondola/shared/files/media-types';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { ContentDecoder } from '../src/contents/content-decoder.adapter.ts';
import type { Judgement } from '../src/uploads/content-verdict.ts';
import { png } from './support/contents.ts';

/** The defaults. */
const MOST_PIXELS = 100_000_000;
const UPLOAD_BYTES = 50_000_000;
const CHECK_MS = 600_000;
/** More than an idle process has. */
const DECODED_BY_NONE_MB = 150;

interface Form {
  readonly side: number;
  readonly channels: 3 | 4;
  readonly is16Bit?: true;
  readonly frames?: number;
  readonly encoded: (raw: Sharp) => Sharp;
}

/** The largest square pictures that are decoded: by their pixels, or by what they take. */
const LARGEST: Readonly<Record<string, Form>> = {
  'JPEG, 100 megapixels': { side: 10_000, channels: 3, encoded: (raw) => raw.jpeg() },
  'JPEG, progressive 4:2:0, 100 megapixels': {
    side: 10_000,
    channels: 3,
    encoded: (raw) => raw.jpeg({ progressive: true }),
  },
  'JPEG, progressive 4:4:4, 78 megapixels': {
    side: 8_850,
    channels: 3,
    encoded: (raw) => raw.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  },
  'PNG of 16 bits with transparency, 100 megapixels': {
    side: 10_000,
    channels: 4,
    is16Bit: true,
    encoded: (raw) => raw.png({ compressionLevel: 1 }),
  },
  'PNG of 16 bits with transparency, interlaced, 55 megapixels': {
    side: 7_450,
    channels: 4,
    is16Bit: true,
    encoded: (raw) => raw.png({ compressionLevel: 1, progressive: true }),
  },
  'WebP with transparency, 52 megapixels': {
    side: 7_250,
    channels: 4,
    encoded: (raw) => raw.webp({ effort: 0 }),
  },
  'WebP, lossless, 53 megapixels': {
    side: 7_300,
    channels: 3,
    encoded: (raw) => raw.webp({ effort: 0, lossless: true }),
  },
  'WebP, 3 frames of 29 megapixels': {
    side: 5_400,
    channels: 3,
    frames: 3,
    encoded: (raw) => raw.webp({ effort: 0 }),
  },
  'GIF, 52 megapixels': { side: 7_250, channels: 3, encoded: (raw) => raw.gif({ effort: 1 }) },
};

const TOO_LARGE: Form = {
  side: 10_000,
  channels: 4,
  is16Bit: true,
  encoded: (raw) => raw.png({ compressionLevel: 1, progressive: true }),
};

/** Prints what each picture takes; the numbers are in docs/sizing.md. */
describe('the largest pictures', () => {
  let decoder: ContentDecoder;

  beforeEach(() => {
    const pictures = { maxPixels: MOST_PIXELS, checkMs: CHECK_MS };
    decoder = new ContentDecoder({ pictures, uploads: { maxBytes: UPLOAD_BYTES } });
  });

  afterEach(() => decoder.onApplicationShutdown());

  it('are decoded by one process, one after the other, within its limit of memory (rule 32)', async () => {
    for (const [name, form] of Object.entries(LARGEST)) {
      const [judged, peak] = await decode(form);
      process.stderr.write(`Peak resident memory of the decoder: ${peak} MB for ${name}\n`);
      expect([name, judged]).toEqual([name, 'whole']);
    }
  });

  it('are refused by their header if they take more, and take nothing (rule 32)', async () => {
    const [judged, peak] = await decode(TOO_LARGE);
    process.stderr.write(`Peak resident memory of the decoder: ${peak} MB for what is refused\n`);
    expect(judged).toMatchObject({ kind: 'bytes', bytes: 872_000_000 });
    expect(peak).toBeLessThan(DECODED_BY_NONE_MB);
  });

  /** The judgement, and the most memory that the process had resident, in megabytes. */
  async function decode(form: Form): Promise<[Judgement, number]> {
    const content = await contentOf(form);
    // A process begins with a picture that takes nothing, so that there is one whose memory can be measured.
    await judge(png());
    const [pid] = decoder.processes;
    // The measure of its most resident memory begins anew.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const judged = await judge(content);
    expect([judged, decoder.processes]).toEqual([judged, [pid]]);
    return [judged, Math.round(peakBytes(pid!) / 1_000_000)];
  }

  async function judge(content: Buffer): Promise<Judgement> {
    const mediaType = mediaTypeOf(content);
    if (mediaType === null) throw new Error('The content has no known type');
    return decoder.judge({ tenant: 'acme', mediaType, size: content.length }, async function* () {
      yield content;
    });
  }
});

async function contentOf({ side, channels, is16Bit, frames = 1, encoded }: Form): Promise<Buffer> {
  const images = Array.from({ length: frames }, (_, frame) => {
    const background = { r: 200, g: 10 * frame, b: 30, alpha: 0.5 };
    return sharp({ create: { width: side, height: side, channels, background } });
  });
  const stills = await Promise.all(frames === 1 ? [] : images.map((image) => image.png().toBuffer()));
  const raw = frames === 1 ? images[0]! : sharp(stills, { join: { animated: true } });
  return encoded(is16Bit === true ? raw.toColourspace('rgb16') : raw).toBuffer();
}
