const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** The first byte at which bytes stop being UTF-8, and its position from 0; null where they are UTF-8. */
export function invalidUtf8(bytes: Uint8Array): { readonly at: number; readonly byte: number } | null {
  // What is invalid is decoded as U+FFFD, and written again with other bytes.
  const again = ENCODER.encode(DECODER.decode(bytes));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  if (at === bytes.length && at === again.length) return null;
  // The bytes of U+FFFD may begin as those that it stands for.
  while (at > 0 && ((again[at] ?? 0x80) & 0xc0) === 0x80) at -= 1;
  return { at, byte: bytes[at] ?? 0 };
}
