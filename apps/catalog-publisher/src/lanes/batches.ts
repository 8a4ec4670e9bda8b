import type { CatalogFlow, CatalogLane, Sending } from './catalog-flow.ts';

/** Most records in one POST by the number of earlier attempts: at first all of a step, behind these each alone. */
const GROUP_SIZES = [Infinity, 10];
/** Most bytes of the records in one POST, as sent; a larger record is sent alone. */
const MAX_GROUP_BYTES = 2_000_000;

interface ToSend {
  readonly progress: { readonly attempts: readonly unknown[] };
}

/** Divides records into calls: those that go alone, and batches of one route each. */
export function batchesOf<S extends CatalogLane>(flow: CatalogFlow<S>, sending: readonly Sending<S>[]): Sending<S>[][] {
  const { true: alone = [], false: together = [] } = Object.groupBy(sending, ({ progress }) =>
    flow.goesAlone(progress) ? 'true' : 'false',
  );
  const byRoute = Map.groupBy(together, (state) => flow.routeOf(state));
  const bytesOf = ({ progress }: Sending<S>) => Buffer.byteLength(flow.itemText(progress));
  return [...alone.map((each) => [each]), ...[...byRoute.values()].flatMap((each) => sendGroups(each, bytesOf))];
}

/**
 * Groups records into POSTs. Records that were sent before without an answer or outcome go in smaller batches each
 * time, so that one record that the platform cannot handle does not fail the others again (guarantee 5).
 *
 * @param bytesOf bytes of the record's text in the POST, which a resend or a default makes longer than what came
 */
export function sendGroups<T extends ToSend>(outgoing: readonly T[], bytesOf: (item: T) => number): T[][] {
  const byAttempts = Map.groupBy(outgoing, ({ progress }) => progress.attempts.length);
  return [...byAttempts].flatMap(([attempts, items]) => groupsOf(items, bytesOf, GROUP_SIZES[attempts] ?? 1));
}

function groupsOf<T>(items: readonly T[], bytesOf: (item: T) => number, most: number): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const own = bytesOf(item);
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

/** One record of a batch. */
export interface BatchItem {
  readonly laneId: string;
  /** JSON text of one entity. */
  readonly text: string;
}

/**
 * Posts records in one batch and returns an answer for each. A batch that is refused whole is halved
 * until the culprit is alone (rule 25), so that the others are applied. After a part that cannot be
 * sent, the parts behind it are not tried.
 *
 * @param post `alone`: lane of the part's only record; undefined if it has several. `part`: its records in their order
 */
export async function postBatch<A extends { readonly kind: string }>(
  items: readonly BatchItem[],
  post: (bodyText: string, alone: string | undefined, part: readonly BatchItem[]) => Promise<A>,
): Promise<Map<string, A>> {
  const answers = new Map<string, A>();
  const parts: (readonly BatchItem[])[] = [items];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const alone = part.length === 1 ? part[0]?.laneId : undefined;
    const answer = await post(`[${part.map(({ text }) => text).join(',')}]`, alone, part);
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
