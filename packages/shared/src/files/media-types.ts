/**
 * The kinds of content that Gondola takes in: images of SKUs and the PDF of an invoice (platform document, "Files").
 */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

export const PDF_MEDIA_TYPE = 'application/pdf';

export type MediaType = ImageMediaType | typeof PDF_MEDIA_TYPE;

/** Bytes from the start of a content that show its kind. */
export const SNIFFED_BYTES = 4_096;

const SIGNATURES: ReadonlyArray<readonly [MediaType, RegExp]> = [
  ['image/png', /^\x89PNG\r\n[^]\n/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // A byte order mark or white space before the header is read over by every viewer.
  ['application/pdf', /^(?:\xEF\xBB\xBF)?[\s\0]*%PDF-\d/],
];

const NFE_ROOT = /<(?:\w+:)?(?:nfeProc|NFe|enviNFe)[\s>]/;

/**
 * The kind of a content by its first bytes, whatever its name says (rules 32, 33); null for what is neither an image
 * that the shop shows nor a PDF.
 *
 * @param head the first `SNIFFED_BYTES`, or all where there are fewer
 */
export function mediaTypeOf(head: Uint8Array): MediaType | null {
  const text = binaryText(head);
  return SIGNATURES.find(([, signature]) => signature.test(text))?.[0] ?? null;
}

/** Whether a content is the XML of an NF-e, which is often sent in place of its PDF (rule 33). `head` as above. */
export function isNfeXml(head: Uint8Array): boolean {
  const text = binaryText(head);
  return /^(?:\xEF\xBB\xBF)?\s*</.test(text) && NFE_ROOT.test(text);
}

/** One character per byte. */
function binaryText(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, SNIFFED_BYTES));
}
