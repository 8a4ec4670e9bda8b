const PNG_END = Buffer.from('IEND\u00AE\u0042\u0060\u0082', 'latin1');

const JPEG_END = Buffer.from([0xff, 0xd9]);
const JPEG_SCAN = 0xda;
const JPEG_MARK = 0xff;
/** Bytes of a JPEG's mark, which its segment's length does not count. */
const MARK_BYTES = 2;

/** Bytes of a GIF's signature and screen, and of a frame's place and size, each with its flags. */
const GIF_HEAD = { bytes: 13, flagsAt: 10 };
const GIF_FRAME = { mark: 0x2c, bytes: 10, flagsAt: 9 };
const GIF_EXTENSION = 0x21;
const GIF_END = 0x3b;

/** Offset of a WebP's length, in which its first bytes do not count. */
const RIFF_LENGTH_AT = 4;
const RIFF_HEAD_BYTES = 8;

const HAS_END: Readonly<Record<string, (content: Buffer) => boolean>> = {
  png: (content) => content.includes(PNG_END),
  jpeg: (content) => content.includes(JPEG_END, jpegScanAt(content)),
  gif: (content) => content[gifEndAt(content)] === GIF_END,
  webp: (content) =>
    content.length >= RIFF_HEAD_BYTES && content.readUInt32LE(RIFF_LENGTH_AT) + RIFF_HEAD_BYTES <= content.length,
};

/**
 * False: the end that the format asks for is missing (rule 32). A decoder that has all pixels, or reads ahead, does not
 * always say so. What is damaged before its end has no meaning here; the decoder refuses it.
 *
 * @param format `png`, `jpeg`, `gif` or `webp`
 */
export function hasEnd(format: string, content: Buffer): boolean {
  return HAS_END[format]?.(content) ?? false;
}

/** Offset of the picture's own data, behind its segments: a segment may hold a whole JPEG, such as a preview. */
function jpegScanAt(content: Buffer): number {
  let at = MARK_BYTES;
  while (at + MARK_BYTES < content.length && content[at] === JPEG_MARK && content[at + 1] !== JPEG_SCAN) {
    // A mark may be preceded by any number of the same byte.
    const isFill = content[at + 1] === JPEG_MARK;
    at += isFill || at + 2 * MARK_BYTES > content.length ? 1 : MARK_BYTES + content.readUInt16BE(at + MARK_BYTES);
  }
  return at;
}

/** Offset of what follows the last frame or extension. */
function gifEndAt(content: Buffer): number {
  let at = GIF_HEAD.bytes + gifColours(content[GIF_HEAD.flagsAt]);
  for (;;) {
    if (content[at] === GIF_EXTENSION) at = behindBlocks(content, at + 2);
    else if (content[at] === GIF_FRAME.mark)
      at = behindBlocks(content, at + GIF_FRAME.bytes + gifColours(content[at + GIF_FRAME.flagsAt]) + 1);
    else return at;
  }
}

/** Bytes of the table of colours that these flags announce. */
function gifColours(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Each block begins with its length; one without bytes is the last. */
function behindBlocks(content: Buffer, first: number): number {
  let at = first;
  for (let length = content[at]; length !== undefined && length > 0; length = content[at]) at += 1 + length;
  return at + 1;
}
