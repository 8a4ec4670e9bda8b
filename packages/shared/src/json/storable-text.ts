/** True for text that PostgreSQL and UTF-8 can hold: neither a NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The text without what cannot be stored: each NUL is left out, and half a surrogate pair becomes U+FFFD. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
