import { type ApiFailure, type Entry, entriesOf, isEntry, type OperationsApi } from './operations-api.ts';
import { type GivenOf, hasPages, requestTo, type RouteName } from './requests.ts';

export interface Listed {
  readonly kind: 'listed';
  readonly entries: readonly Entry[];
  /** The `before` of the next page; null: this page is the last, or the route has no pages. */
  readonly next: string | null;
}

/** Longest page that the apps return. */
const LONGEST_PAGE = 200;

/**
 * Reads a list. If its route has pages, as many as it takes until `limit` entries are read or no page is left.
 *
 * @param member field of the answer that holds the entries
 */
export async function readList<R extends RouteName>(
  api: OperationsApi,
  route: R,
  given: GivenOf<R>,
  limit: number,
  member = 'entries',
): Promise<Listed | ApiFailure> {
  const request = requestTo(route, given);
  if (!hasPages(route)) {
    const answer = await api.call(request);
    return answer.kind === 'answer' ? { kind: 'listed', entries: entriesOf(answer.body[member]), next: null } : answer;
  }
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
