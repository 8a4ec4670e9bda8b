import type { Metadata } from 'sharp';
import type { TooCostly } from '../uploads/content-verdict.ts';

/** Most resident memory that decoding one picture may take: 50 megapixels of 8 bits pass in every form. */
export const PICTURE_BYTES = 500_000_000;

/** Rows that are in memory at a time while a picture is read from top to bottom (measured: 690 to 875). */
const ROWS = 900;
/** A canvas and a frame of RGBA, and the transparency that a lossy frame stores by itself. */
const CANVAS_BYTES = 9;
/** A canvas and up to three frames of an animation. */
const ANIMATED_BYTES = 16;
/** A coefficient of libjpeg. */
const COEFFICIENT_BYTES = 2;
/** Channels that are stored for each pixel if two colours of three are stored at half the width and half the height. */
const HALVED_CHANNELS = 1.5;

/** Values of a picture's header that decide what decoding it takes. */
export type PictureHeader = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'pages' | 'pageHeight' | 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling'
>;

/** Why a picture is not decoded, by its header alone (rule 32); null if it is. */
export function costOf(header: PictureHeader, maxPixels: number): TooCostly | null {
  const { width, height } = header;
  if (width * height > maxPixels) return { kind: 'pixels', width, height, limit: maxPixels };
  const bytes = decodedBytes(header);
  return bytes > PICTURE_BYTES ? { kind: 'bytes', width, height, bytes, limit: PICTURE_BYTES } : null;
}

/**
 * Resident memory that a picture takes while it is decoded from top to bottom: some rows, and besides them an image for
 * the forms whose first row needs all of the file. Animations are decoded frame by frame.
 */
export function decodedBytes(header: PictureHeader): number {
  const { format, width, height, pages, pageHeight, channels } = header;
  const pixels = width * (pageHeight ?? height);
  const pixelBytes = channels * (header.depth === 'uchar' ? 1 : 2);
  const rows = ROWS * width * pixelBytes;
  if (format === 'webp' && (pages ?? 1) > 1) return rows + ANIMATED_BYTES * pixels;
  if (format === 'webp' || format === 'gif') return rows + CANVAS_BYTES * pixels;
  if (!header.isProgressive) return rows;
  if (format === 'png') return rows + pixelBytes * pixels;
  const stored = header.chromaSubsampling === '4:2:0' ? HALVED_CHANNELS : channels;
  return rows + COEFFICIENT_BYTES * stored * pixels;
}
