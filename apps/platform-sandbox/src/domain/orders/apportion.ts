/**
 * Divides an amount over weights in proportion, to the cent: each part is rounded down, and the cents that are left go
 * to those that lost most by it, the earlier one where two lost the same. No part is above its weight as long as the
 * amount is not above their sum.
 */
export function apportion(cents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = exact.map((product) => Number(product / BigInt(sum)));
  const lost = exact.map((product) => Number(product % BigInt(sum)));
  const left = cents - parts.reduce((total, part) => total + part, 0);
  const lucky = new Set([...lost.keys()].toSorted((a, b) => (lost[b] ?? 0) - (lost[a] ?? 0)).slice(0, left));
  return parts.map((part, index) => part + (lucky.has(index) ? 1 : 0));
}
