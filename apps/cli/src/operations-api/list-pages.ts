import type { AppName } from './addresses.ts';
import { type ApiFailure, type Entry, isEntry, type OperationsApi } from './operations-api.ts';

export interface Listing {
  readonly app: AppName;
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Field of the answer that holds the entries. */
  readonly member: 'entries' | 'deadLetters';
  readonly limit: number;
}

export interface Listed {
  readonly kind: 'listed';
  readonly entries: readonly Entry[];
  /** The `before` of the next page; null: this page is the last. */
  readonly next: string | null;
}

/** Longest page that the apps return. */
const LONGEST_PAGE = 200;

/** Reads the pages of a list until `limit` entries are read or no page is left. */
export async function listPages(api: OperationsApi, listing: Listing): Promise<Listed | ApiFailure> {
  const { app, path, query, member, limit } = listing;
  const entries: Entry[] = [];
  let next: string | null = query['before'] ?? null;
  do {
    const pageLimit = String(Math.min(limit - entries.length, LONGEST_PAGE));
    const page = { ...query, limit: pageLimit, ...(next === null ? {} : { before: next }) };
    const answer = await api.call({ app, method: 'GET', path, query: page });
    if (answer.kind !== 'answer') return answer;
    const found = answer.body[member];
    if (!Array.isArray(found) || !found.every(isEntry)) return { ...answer, kind: 'not-understood', status: 200 };
    entries.push(...found);
    next = found.length > 0 && typeof answer.body['next'] === 'string' ? answer.body['next'] : null;
  } while (next !== null && entries.length < limit);
  return { kind: 'listed', entries: entries.slice(0, limit), next };
}
