/**
 * PostgreSQL's text holds every character but NUL, which a path or a reference from outside may hold; such a one is
 * never found.
 */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}
