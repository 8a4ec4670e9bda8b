/** Kinds of content that Gondola accepts: images of SKUs and the PDF of an invoice (platform document, "Files"). */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

export const PDF_MEDIA_TYPE = 'application/pdf';

export const MEDIA_TYPES = [...IMAGE_MEDIA_TYPES, PDF_MEDIA_TYPE] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

/** Number of bytes at the start of a content that show its kind. */
export const SNIFFED_BYTES = 4_096;

/**
 * Number of bytes at the start of a PDF in which viewers look for its header: a print job, a mail or white space may
 * stand before it.
 */
const PDF_HEADER_BYTES = 1_024;

const SIGNATURES: ReadonlyArray<readonly [ImageMediaType, RegExp]> = [
  ['image/png', /^\x89PNG\r\n[^]\n/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

const PDF_HEADER = /%PDF-\d/;

/** Contents that are often sent instead: the XML of an NF-e, and pictures that the shop does not show. */
export type OtherContent = 'NF-e' | 'HEIC' | 'AVIF' | 'TIFF' | 'BMP' | 'SVG';

const OTHERS: ReadonlyArray<readonly [OtherContent, RegExp]> = [
  ['NF-e', /^(?:\xEF\xBB\xBF)?\s*<(?:[^]*<)?(?:\w+:)?(?:nfeProc|NFe|enviNFe)[\s>]/],
  ['HEIC', /^[^]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/],
  ['AVIF', /^[^]{4}ftypavi[fs]/],
  ['TIFF', /^(?:II\*\0|MM\0\*)/],
  ['BMP', /^BM[^]{4}\0{4}/],
  ['SVG', /^(?:\xEF\xBB\xBF)?\s*<(?:[^]*<)?svg[\s>]/],
];

/**
 * Kind of a content by its first bytes, whatever its name (rules 32, 33); null if it is neither an image that the
 * shop shows nor a PDF.
 *
 * @param head the first `SNIFFED_BYTES`, or all bytes if there are fewer
 */
export function mediaTypeOf(head: Uint8Array): MediaType | null {
  const text = binaryText(head);
  const image = SIGNATURES.find(([, signature]) => signature.test(text))?.[0];
  if (image !== undefined) return image;
  return PDF_HEADER.test(text.slice(0, PDF_HEADER_BYTES)) ? PDF_MEDIA_TYPE : null;
}

/** Kind of a content that is neither an image that the shop shows nor a PDF; null if it is no known one. */
export function otherContentOf(head: Uint8Array): OtherContent | null {
  const text = binaryText(head);
  return OTHERS.find(([, signature]) => signature.test(text))?.[0] ?? null;
}

/** One character per byte. */
function binaryText(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, SNIFFED_BYTES));
}
