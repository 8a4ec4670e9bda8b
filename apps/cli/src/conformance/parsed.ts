export type Json = Readonly<Record<string, unknown>>;

/** An object of JSON; empty for any other text. */
export function parsed(text = ''): Json {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Json) : {};
  } catch {
    return {};
  }
}
