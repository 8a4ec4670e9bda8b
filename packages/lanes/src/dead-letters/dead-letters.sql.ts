const SUMMARY = `
  id, consumer_group AS "group", topic, partition, record_offset AS "offset", tenant, reason_code AS code, reason,
  dead_at AS "deadAt", state, failures, last_failed_at AS "lastFailedAt", redriven, redriven_at AS "redrivenAt", note,
  acted_by AS "actedBy",
  content_erased_at AS "contentErasedAt"`;

/**
 * A row with the same id is normally the same record consumed again; then nothing changes. It is another record
 * only if the topic was deleted and created again: the new record must not be lost, so it replaces the old one.
 */
export const INSERT = `
  INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, key, value, headers, tenant, reason_code, reason, content_erased_at, order_numbers)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $12 THEN now() END, $13::text[])
  ON CONFLICT (id) DO UPDATE SET key = excluded.key, value = excluded.value, headers = excluded.headers, tenant = excluded.tenant,
    reason_code = excluded.reason_code, reason = excluded.reason, dead_at = now(), redriven = 0, redriven_at = NULL,
    state = 'open', failures = 1, last_failed_at = now(), failed_redrive = 0, note = NULL, acted_by = NULL, content_erased_at = excluded.content_erased_at, order_numbers = excluded.order_numbers
  WHERE (dead_letters.key, dead_letters.value, dead_letters.headers) IS DISTINCT FROM (excluded.key, excluded.value, excluded.headers)`;

/**
 * The letter whose redrive failed again, with the reason of this failure; the same redrive is counted once. No row if
 * the letter is gone, or if the record is not the letter's.
 */
export const FAIL_AGAIN = `
  UPDATE dead_letters SET state = 'open', reason_code = $5, reason = $6, last_failed_at = now(),
    failures = failures + CASE WHEN failed_redrive < $4 THEN 1 ELSE 0 END, failed_redrive = greatest(failed_redrive, $4)
  WHERE id = $1 AND topic = $7 AND (content_erased_at IS NOT NULL OR (key, value) IS NOT DISTINCT FROM ($2::bytea, $3::bytea))`;

/** `where` is a condition on the letters that uses $1 and further values. */
export function listOf(where: string): string {
  return `SELECT ${SUMMARY} FROM dead_letters WHERE ${where} ORDER BY dead_at DESC, id DESC`;
}

export const FIND = `SELECT ${SUMMARY}, key, value, headers FROM dead_letters WHERE id = $1`;

export const LOCK = `${FIND} FOR UPDATE`;

export const MARK_REDRIVEN = `
  UPDATE dead_letters SET redriven = redriven + 1, redriven_at = now(), state = 'redriven', acted_by = $2 WHERE id = $1`;

export const DISCARD = `
  UPDATE dead_letters SET state = 'discarded', note = $2, acted_by = $3 WHERE id = $1 AND state <> 'discarded'`;

/**
 * Inserting a letter (which looks up erasures) takes this lock shared, erasing an order takes it exclusively. So
 * each letter is inserted either before an erasure, which then finds it, or after it. $1 true: exclusive.
 */
export const LOCK_FOR_ERASURE = `
  SELECT CASE WHEN $1 THEN pg_advisory_xact_lock(k) ELSE pg_advisory_xact_lock_shared(k) END
  FROM hashtextextended(current_schema || '.dead_letters', 0) AS k`;

/** A letter without a tenant may belong to any tenant. */
const ERASABLE = `
  (tenant = $1 OR tenant IS NULL) AND reason_code <> 'BATCH_UNREADABLE' AND content_erased_at IS NULL`;

/** $1 tenant, $2 order number. */
export const OF_ORDER = `SELECT id FROM dead_letters WHERE ${ERASABLE} AND order_numbers @> ARRAY[$2::text]`;

/** $1 tenant, $2 last id of the page before, $3 at most: letters whose orders are not known. */
export const CONTENTS = `
  SELECT id, key, value FROM dead_letters WHERE ${ERASABLE} AND order_numbers IS NULL AND id > $2 ORDER BY id LIMIT $3`;

/** $1 retention in milliseconds. Of the letters that failed first, of which some may have failed again. */
export const OLDEST_LETTER = `
  SELECT min(greatest(dead_at, last_failed_at)) + $1::float8 * interval '1 millisecond' AS due
  FROM (SELECT dead_at, last_failed_at FROM dead_letters ORDER BY dead_at, id LIMIT 1000) AS oldest`;

/** $1 ids. */
export const ERASE_LETTERS = `
  UPDATE dead_letters SET key = NULL, value = NULL, headers = '[]', order_numbers = '{}', content_erased_at = now()
  WHERE id = ANY ($1::text[])`;
