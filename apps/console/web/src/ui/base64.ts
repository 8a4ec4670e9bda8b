/** Bytes as text: indented if they are JSON, as they are if they are UTF-8, else in base64. */
export function textOfBase64(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return indented(text);
  } catch {
    return base64;
  }
}

/** JSON on several lines, only where that changes no digit of it. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
