/** Kinds of content that Gondola accepts: images of SKUs and the PDF of an invoice (platform document, "Files"). */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

export const PDF_MEDIA_TYPE = 'application/pdf';

export const MEDIA_TYPES = [...IMAGE_MEDIA_TYPES, PDF_MEDIA_TYPE] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

/** Number of bytes at the start of a content that show its kind. */
export const SNIFFED_BYTES = 4_096;

const SIGNATURES: ReadonlyArray<readonly [MediaType, RegExp]> = [
  ['image/png', /^\x89PNG\r\n[^]\n/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // Every viewer ignores a byte order mark or white space before the header.
  ['application/pdf', /^(?:\xEF\xBB\xBF)?[\s\0]*%PDF-\d/],
];

const NFE_ROOT = /<(?:\w+:)?(?:nfeProc|NFe|enviNFe)[\s>]/;

/**
 * Kind of a content by its first bytes, whatever its name (rules 32, 33); null if it is neither an image that the
 * shop shows nor a PDF.
 *
 * @param head the first `SNIFFED_BYTES`, or all bytes if there are fewer
 */
export function mediaTypeOf(head: Uint8Array): MediaType | null {
  const text = binaryText(head);
  return SIGNATURES.find(([, signature]) => signature.test(text))?.[0] ?? null;
}

/** True if a content is the XML of an NF-e, which is often sent instead of its PDF (rule 33). `head` as above. */
export function isNfeXml(head: Uint8Array): boolean {
  const text = binaryText(head);
  return /^(?:\xEF\xBB\xBF)?\s*</.test(text) && NFE_ROOT.test(text);
}

/** One character per byte. */
function binaryText(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, SNIFFED_BYTES));
}
