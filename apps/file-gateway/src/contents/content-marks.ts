/** Bytes at the end of a PDF that have to hold its `startxref` and `%%EOF`. */
const TAIL_BYTES = 2_048;
/** A viewer finds the header of a PDF anywhere in these. */
const HEADER_BYTES = 1_024;
const PNG_END = Buffer.from('IEND\u00AE\u0042\u0060\u0082', 'latin1');
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_OFFSET = 20;
const MAX_COMMENT = 65_535;

/** Whether a content has the end of its type, as far as no decoder looks for it: what was cut off lacks it. */
export function hasEnd(content: Buffer, mediaType: string): boolean {
  if (mediaType === 'image/png') return content.includes(PNG_END);
  if (mediaType !== 'application/pdf') return true;
  const tail = content.subarray(-TAIL_BYTES);
  return tail.includes('startxref') && tail.includes('%%EOF');
}

/** Whether a content is something else as well: an archive, a page with a script, or a picture that is a PDF too. */
export function isMixed(content: Buffer, mediaType: string): boolean {
  if (isArchive(content)) return true;
  if (mediaType === 'application/pdf') return false;
  return (
    content.subarray(0, HEADER_BYTES).includes('%PDF-') || content.includes('<script') || content.includes('<?php')
  );
}

/** A ZIP archive is recognised by its end, whatever stands in front of it. */
function isArchive(content: Buffer): boolean {
  const tail = content.subarray(-(ZIP_END_BYTES + MAX_COMMENT));
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + ZIP_END_BYTES > tail.length) return false;
    if (at + ZIP_END_BYTES + tail.readUInt16LE(at + ZIP_COMMENT_OFFSET) === tail.length) return true;
  }
  return false;
}
