/** An order number in a path or a body; undefined when it can be none. */
export function orderNumberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
