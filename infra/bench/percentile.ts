/**
 * Smallest of ascending values that at least this share (above 0, up to 1) of them does not exceed; NaN for an
 * empty list.
 */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN;
}
