const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** The first byte that is not valid UTF-8, and its position from 0; null if all bytes are valid. */
export function invalidUtf8(bytes: Uint8Array): { readonly at: number; readonly byte: number } | null {
  // Invalid bytes are decoded as U+FFFD, which is encoded as different bytes.
  const again = ENCODER.encode(DECODER.decode(bytes));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  if (at === bytes.length && at === again.length) return null;
  // The bytes of U+FFFD may begin like the bytes that they replace.
  while (at > 0 && ((again[at] ?? 0x80) & 0xc0) === 0x80) at -= 1;
  return { at, byte: bytes[at] ?? 0 };
}
