const SUMMARY = `
  id, consumer_group AS "group", topic, partition, record_offset AS "offset", tenant, reason_code AS code, reason,
  dead_at AS "deadAt", redriven, redriven_at AS "redrivenAt", content_erased_at AS "contentErasedAt"`;

/**
 * A row with the same id is normally the same record consumed again; then nothing changes. It is another record
 * only if the topic was deleted and created again: the new record must not be lost, so it replaces the old one.
 */
export const INSERT = `
  INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, key, value, headers, tenant, reason_code, reason, content_erased_at, order_numbers)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $12 THEN now() END, $13::text[])
  ON CONFLICT (id) DO UPDATE SET key = excluded.key, value = excluded.value, headers = excluded.headers, tenant = excluded.tenant,
    reason_code = excluded.reason_code, reason = excluded.reason, dead_at = now(), redriven = 0, redriven_at = NULL,
    content_erased_at = excluded.content_erased_at, order_numbers = excluded.order_numbers
  WHERE (dead_letters.key, dead_letters.value, dead_letters.headers) IS DISTINCT FROM (excluded.key, excluded.value, excluded.headers)`;

export const LIST = `
  SELECT ${SUMMARY} FROM dead_letters
  WHERE ($1::text IS NULL OR topic = $1)
    AND ($2::text IS NULL OR (dead_at, id) < (SELECT dead_at, id FROM dead_letters WHERE id = $2))
  ORDER BY dead_at DESC, id DESC
  LIMIT $3`;

export const FIND = `SELECT ${SUMMARY}, key, value, headers FROM dead_letters WHERE id = $1`;

export const LOCK = `${FIND} FOR UPDATE`;

export const MARK_REDRIVEN = 'UPDATE dead_letters SET redriven = redriven + 1, redriven_at = now() WHERE id = $1';

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

/** $1 ids. */
export const ERASE_LETTERS = `
  UPDATE dead_letters SET key = NULL, value = NULL, headers = '[]', order_numbers = '{}', content_erased_at = now()
  WHERE id = ANY ($1::text[])`;
