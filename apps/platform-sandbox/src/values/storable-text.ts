/**
 * Replaces NUL, the only character that PostgreSQL's text cannot store; a path or reference with NUL is never
 * found.
 */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}
