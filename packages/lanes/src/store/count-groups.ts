import type { Queryable } from './queryable.ts';

/** A group of waiting rows, counted up to a limit. */
export interface CountedGroup {
  readonly values: readonly string[];
  readonly count: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
}

export interface GroupedRows {
  readonly table: string;
  /** Condition of the partial index, written as there. */
  readonly where: string;
  /** Leading expressions of the index, never null; their values name a group. */
  readonly by: readonly string[];
  /** The column of the index that follows them. */
  readonly time: string;
}

/** Most groups; rows of further ones are not looked at. */
const MAX_GROUPS = 200;

/**
 * Counts rows by group, each group up to `atMost`, without reading more of the table: the index is entered once for
 * each group. `first` is the value of the first expression of all groups, null for any.
 */
export async function countGroups(
  db: Queryable,
  { table, where, by, time }: GroupedRows,
  first: string | null,
  atMost: number,
): Promise<CountedGroup[]> {
  const names = by.map((_, index) => `v${index}`);
  const values = by.map((expression, index) => `${expression} AS v${index}`).join(', ');
  const only = first === null ? '' : `AND ${by[0]} = $2`;
  const [keys, own] = [by.join(', '), names.map((name) => `g.${name}`).join(', ')];
  const of = `FROM ${table} WHERE ${where} AND (${keys}) = (${own})`;
  const { rows } = await db.query<Row>(
    `WITH RECURSIVE g AS (
       (SELECT ${values} FROM ${table} WHERE ${where} ${only} ORDER BY ${keys} LIMIT 1)
       UNION ALL
       SELECT n.* FROM g, LATERAL (
         SELECT ${values} FROM ${table} WHERE ${where} ${only} AND (${keys}) > (${own}) ORDER BY ${keys} LIMIT 1) AS n
     )
     SELECT ARRAY[${own}] AS values, (SELECT count(*) FROM (SELECT 1 ${of} LIMIT $1) AS counted)::integer AS count,
       (SELECT ${time} ${of} ORDER BY ${time} LIMIT 1) AS "oldestAt",
       (SELECT ${time} ${of} ORDER BY ${time} DESC LIMIT 1) AS "newestAt"
     FROM (SELECT * FROM g LIMIT ${MAX_GROUPS}) AS g`,
    first === null ? [atMost] : [atMost, first],
  );
  return rows.filter(({ count }) => count > 0);
}

type Row = CountedGroup & { [column: string]: unknown };
