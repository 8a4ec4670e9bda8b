/** Number of bytes at the end of a PDF that must hold its `startxref` and `%%EOF`. */
const TAIL_BYTES = 2_048;
/** Number of bytes at the beginning of a PDF in which viewers look for its header. */
const HEADER_BYTES = 1_024;
const PNG_END = Buffer.from('IEND\u00AE\u0042\u0060\u0082', 'latin1');
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_OFFSET = 20;
const MAX_COMMENT = 65_535;

/**
 * True if a content has the end mark of its type. Only types are checked whose decoder accepts a truncated content.
 */
export function hasEnd(content: Buffer, mediaType: string): boolean {
  if (mediaType === 'image/png') return content.includes(PNG_END);
  if (mediaType !== 'application/pdf') return true;
  const tail = content.subarray(-TAIL_BYTES);
  return tail.includes('startxref') && tail.includes('%%EOF');
}

/** True if a content is also something else: an archive, a page with a script, or a picture that is a PDF too. */
export function isMixed(content: Buffer, mediaType: string): boolean {
  if (isArchive(content)) return true;
  if (mediaType === 'application/pdf') return false;
  return (
    content.subarray(0, HEADER_BYTES).includes('%PDF-') || content.includes('<script') || content.includes('<?php')
  );
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
