import type { Queryable } from './queryable.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Deletes the rows of a table that meet a condition, some in each statement: none takes long or holds many locks,
 * however many have accumulated. A row that changes meanwhile stays until the next run; replicas that delete at the
 * same time lock rows in one order. Tested in delete-in-steps.int.spec.ts.
 */
export async function deleteInSteps(
  db: Queryable,
  table: string,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${ROWS_AT_ONCE}))`;
  while ((await db.query(text, [...values])).rowCount === ROWS_AT_ONCE);
}
