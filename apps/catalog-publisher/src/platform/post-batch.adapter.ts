import type { MutationAnswer } from '@gondola/platform-client/answers';

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
export async function postBatch(
  items: readonly BatchItem[],
  post: (bodyText: string) => Promise<MutationAnswer>,
): Promise<Map<string, MutationAnswer>> {
  const answers = new Map<string, MutationAnswer>();
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
