/** Sizes of requests, in bytes. */
export interface RequestSizes<T> {
  readonly limit: number;
  /** Size of a request without items. */
  readonly empty: number;
  /** Bytes that an item adds to its request. */
  readonly of: (item: T) => number;
}

/**
 * Splits an ordered list into requests, each as long as its limit allows, without changing the order (rule 32). An
 * item that alone exceeds the limit forms its own request.
 */
export function splitUnderLimit<T>(items: readonly T[], { limit, empty, of }: RequestSizes<T>): T[][] {
  const requests: T[][] = [];
  let size = Infinity;
  for (const item of items) {
    if (size + of(item) > limit) {
      requests.push([]);
      size = empty;
    }
    requests.at(-1)?.push(item);
    size += of(item);
  }
  return requests;
}
