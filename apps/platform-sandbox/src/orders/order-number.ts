/** Order number in a path or a body; undefined if the text cannot be one. */
export function orderNumberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
