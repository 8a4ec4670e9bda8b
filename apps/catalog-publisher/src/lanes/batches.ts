/** Records in one POST, by how often each was sent before; beyond that, alone. */
const GROUP_SIZES = [1_000, 10];

/**
 * Which records go into one POST: what was sent before, and whose answer or outcome never came, goes in smaller company
 * each time, so that one record over which the platform stumbles does not take the others with it again (guarantee 5).
 */
export function sendGroups<T extends { readonly progress: { readonly attempts: readonly unknown[] } }>(
  outgoing: readonly T[],
): T[][] {
  const byAttempts = Map.groupBy(outgoing, ({ progress }) => progress.attempts.length);
  return [...byAttempts].flatMap(([attempts, items]) => chunks(items, GROUP_SIZES[attempts] ?? 1));
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** One record of a batch, as it is posted. */
export interface BatchItem {
  readonly laneId: string;
  /** JSON text of one entity. */
  readonly text: string;
}

/**
 * Posts records in one batch, and answers for each. A batch that is refused whole is halved until the culprit is alone
 * (rule 25), so that the others enter. Once a part cannot be sent, those behind it are not tried.
 */
export async function postBatch<A extends { readonly kind: string }>(
  items: readonly BatchItem[],
  post: (bodyText: string) => Promise<A>,
): Promise<Map<string, A>> {
  const answers = new Map<string, A>();
  const parts: (readonly BatchItem[])[] = [items];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const answer = await post(`[${part.map(({ text }) => text).join(',')}]`);
    if (answer.kind === 'refused' && part.length > 1) {
      const middle = Math.ceil(part.length / 2);
      parts.unshift(part.slice(0, middle), part.slice(middle));
      continue;
    }
    const answered = answer.kind === 'unavailable' ? [part, ...parts.splice(0)].flat() : part;
    for (const { laneId } of answered) answers.set(laneId, answer);
  }
  return answers;
}
