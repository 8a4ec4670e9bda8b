/** Records in one POST, by how often each was sent before; beyond that, alone. */
const GROUP_SIZES = [1_000, 10];

/**
 * Which records go into one POST: what was sent before, and whose answer or outcome never came, goes in smaller company
 * each time, so that one record over which the platform stumbles does not take the others with it again (guarantee 5).
 */
export function sendGroups<T extends { readonly progress: { readonly sendings: readonly unknown[] } }>(
  outgoing: readonly T[],
): T[][] {
  const bySendings = Map.groupBy(outgoing, ({ progress }) => progress.sendings.length);
  return [...bySendings].flatMap(([sendings, items]) => chunks(items, GROUP_SIZES[sendings] ?? 1));
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
