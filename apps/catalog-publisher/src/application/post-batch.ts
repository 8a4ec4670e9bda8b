import type { MutationAnswer } from '@gondola/platform-client/answers';

/** One record of a batch, as it is posted. */
export interface BatchItem {
  readonly laneId: string;
  /** JSON text of one product. */
  readonly text: string;
}

/** Posts a JSON array. */
export type Post = (bodyText: string) => Promise<MutationAnswer>;

/**
 * Posts records in one batch, and answers for each. A batch that is refused whole is halved until the culprit is alone (rule 25), so that
 * the others enter. Once a half cannot be sent, neither are those behind it.
 */
export async function postBatch(items: readonly BatchItem[], post: Post): Promise<Map<string, MutationAnswer>> {
  const answer = await post(`[${items.map(({ text }) => text).join(',')}]`);
  if (answer.kind !== 'refused' || items.length === 1) return new Map(items.map(({ laneId }) => [laneId, answer]));
  const middle = Math.ceil(items.length / 2);
  const first = await postBatch(items.slice(0, middle), post);
  const second = await postBatch(items.slice(middle), post);
  return new Map([...first, ...second]);
}
