/** Most characters of a text that a page shows; a hostile one could be of any length. */
export const LONGEST_TEXT = 10_000;

/** The beginning of a text, whole characters only, and how many it has if some are left out. */
export function clamp(
  text: string,
  longest = LONGEST_TEXT,
): { readonly shown: string; readonly cutFrom: number | null } {
  if (text.length <= longest) return { shown: text, cutFrom: null };
  const end = isHighSurrogate(text.charCodeAt(longest - 1)) ? longest - 1 : longest;
  return { shown: text.slice(0, end), cutFrom: text.length };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
