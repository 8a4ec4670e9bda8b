/**
 * Cuts an ordered list into requests, each as long as its limit allows, without changing the order (rule 32). An item that alone is over the
 * limit is a request of its own.
 *
 * @param sizeOf bytes of a request with these items; grows with each item
 */
export function splitUnderLimit<T>(
  items: readonly T[],
  limitBytes: number,
  sizeOf: (request: readonly T[]) => number,
): T[][] {
  const requests: T[][] = [];
  for (const item of items) {
    const last = requests.at(-1);
    if (last !== undefined && sizeOf([...last, item]) <= limitBytes) last.push(item);
    else requests.push([item]);
  }
  return requests;
}
