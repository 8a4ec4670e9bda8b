import { z } from 'zod';

/** Most entries in one answer. */
export const MAX_ENTRIES = 5_000;
const DEFAULT_ENTRIES = 100;

const whole = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** Query parameters of every list of the admin API. `most` is the number of entries without `limit`. */
export function listQuery<S extends z.ZodRawShape>(filters: S, most = DEFAULT_ENTRIES) {
  return z.object({
    after: whole.optional().describe('Entries behind this `seq`'),
    limit: whole.default(most).describe(`Most entries of the answer, ${MAX_ENTRIES} at most`),
    order: z.enum(['oldest', 'newest']).default('oldest').describe('`newest`: downwards from the newest entry'),
    contractAccountId: z.string().optional().describe('Only of this merchant'),
    ...filters,
  });
}

export interface ListQuery {
  readonly after?: number | undefined;
  readonly limit: number;
  readonly order: 'oldest' | 'newest';
  readonly contractAccountId?: string | undefined;
}

export interface Page<T> {
  readonly entries: readonly T[];
  /** Number of all entries that match, whatever the page. */
  readonly total: number;
  /** `after` of the next page; undefined on the last one. */
  readonly next: number | undefined;
}

/** One page of entries that match already, in any order. */
export function pageOf<T>(all: Iterable<T>, { after, limit, order }: ListQuery, seqOf: (entry: T) => number): Page<T> {
  const direction = order === 'newest' ? -1 : 1;
  const sorted = [...all].toSorted((one, other) => direction * (seqOf(one) - seqOf(other)));
  const begin = after === undefined ? 0 : sorted.findIndex((entry) => direction * (seqOf(entry) - after) > 0);
  const most = Math.max(1, Math.min(limit, MAX_ENTRIES));
  const entries = begin === -1 ? [] : sorted.slice(begin, begin + most);
  const last = entries.at(-1);
  const hasMore = begin !== -1 && begin + entries.length < sorted.length;
  return { entries, total: sorted.length, next: hasMore && last !== undefined ? seqOf(last) : undefined };
}
