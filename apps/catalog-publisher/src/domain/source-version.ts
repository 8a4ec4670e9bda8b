/** A lower version than the highest that came (rule 28); versions as decimal text, null where there is none. */
export function isStale(version: bigint | null, latest: string | null): boolean {
  return version !== null && latest !== null && version < BigInt(latest);
}
