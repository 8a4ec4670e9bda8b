/** Records in one POST, by how often each was sent before; beyond that, alone. */
const GROUP_SIZES = [1_000, 10];
/** Bytes of the records of one POST, as they were received; one that is larger goes alone. */
const MAX_GROUP_BYTES = 2_000_000;

interface ToSend {
  readonly work: { readonly command: { readonly value: Uint8Array | null } };
  readonly progress: { readonly attempts: readonly unknown[] };
}

/**
 * Which records go into one POST: what was sent before, and whose answer or outcome never came, goes in smaller company
 * each time, so that one record over which the platform stumbles does not take the others with it again (guarantee 5).
 */
export function sendGroups<T extends ToSend>(outgoing: readonly T[]): T[][] {
  const byAttempts = Map.groupBy(outgoing, ({ progress }) => progress.attempts.length);
  return [...byAttempts].flatMap(([attempts, items]) => groupsOf(items, GROUP_SIZES[attempts] ?? 1));
}

function groupsOf<T extends ToSend>(items: readonly T[], most: number): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const own = item.work.command.value?.length ?? 0;
    const group = groups.at(-1);
    if (group === undefined || group.length === most || bytes + own > MAX_GROUP_BYTES) {
      groups.push([item]);
      bytes = own;
    } else {
      group.push(item);
      bytes += own;
    }
  }
  return groups;
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
