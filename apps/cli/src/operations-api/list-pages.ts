import { type ApiFailure, type ApiRequest, type Entry, isEntry, type OperationsApi } from './operations-api.ts';

export interface Listed {
  readonly kind: 'listed';
  readonly entries: readonly Entry[];
  /** The `before` of the next page; null: this page is the last. */
  readonly next: string | null;
}

/** Longest page that the apps return. */
const LONGEST_PAGE = 200;

/**
 * Reads the pages of a list until `limit` entries are read or no page is left.
 *
 * @param member field of the answer that holds the entries
 */
export async function listPages(
  api: OperationsApi,
  request: ApiRequest,
  limit: number,
  member = 'entries',
): Promise<Listed | ApiFailure> {
  const { limit: _given, ...filter } = request.query ?? {};
  const entries: Entry[] = [];
  let next: string | null = filter['before'] ?? null;
  do {
    const pageLimit = String(Math.min(limit - entries.length, LONGEST_PAGE));
    const query = { ...filter, limit: pageLimit, ...(next === null ? {} : { before: next }) };
    const answer = await api.call({ ...request, query });
    if (answer.kind !== 'answer') return answer;
    const found = answer.body[member];
    if (!Array.isArray(found) || !found.every(isEntry)) return { ...answer, kind: 'not-understood', status: 200 };
    entries.push(...found);
    next = found.length > 0 && typeof answer.body['next'] === 'string' ? answer.body['next'] : null;
  } while (next !== null && entries.length < limit);
  return { kind: 'listed', entries: entries.slice(0, limit), next };
}
