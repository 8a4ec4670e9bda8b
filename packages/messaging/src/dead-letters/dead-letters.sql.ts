const SUMMARY = `
  id, consumer_group AS "group", topic, partition, record_offset AS "offset", tenant, reason_code AS code, reason,
  dead_at AS "deadAt", redriven, redriven_at AS "redrivenAt", content_erased_at AS "contentErasedAt"`;

/**
 * A letter of the same id is the same record consumed again, and then nothing is done. Only where a topic was deleted
 * and made anew can it be another record: that one must not be lost, and the record of the topic that is gone makes
 * room.
 */
export const INSERT = `
  INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, key, value, headers, tenant, reason_code, reason, content_erased_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $12 THEN now() END)
  ON CONFLICT (id) DO UPDATE SET key = excluded.key, value = excluded.value, headers = excluded.headers, tenant = excluded.tenant,
    reason_code = excluded.reason_code, reason = excluded.reason, dead_at = now(), redriven = 0, redriven_at = NULL,
    content_erased_at = excluded.content_erased_at
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

/** The oldest first, at most `$2`: a statement is short, whatever has piled up. */
export const DELETE_OLD = `
  DELETE FROM dead_letters WHERE id IN (
    SELECT id FROM dead_letters WHERE dead_at < now() - $1 * interval '1 millisecond' ORDER BY dead_at, id LIMIT $2)`;

/**
 * Letters are added with their orders' erasures looked up, so that each is added before an erasure, which finds it, or
 * after it: the one takes the lock in common, the other alone. $1 false: in common.
 */
export const LOCK_FOR_ERASURE = `
  SELECT CASE WHEN $1 THEN pg_advisory_xact_lock(k) ELSE pg_advisory_xact_lock_shared(k) END
  FROM hashtextextended(current_schema || '.dead_letters', 0) AS k`;

/** $1 tenant, $2 after which id, $3 at most. A letter without a tenant may be anybody's. */
export const CONTENTS = `
  SELECT id, key, value FROM dead_letters
  WHERE (tenant = $1 OR tenant IS NULL) AND id > $2 AND reason_code <> 'BATCH_UNREADABLE' AND content_erased_at IS NULL
  ORDER BY id LIMIT $3`;

/** $1 ids. */
export const ERASE_LETTERS = `
  UPDATE dead_letters SET key = NULL, value = NULL, headers = '[]', content_erased_at = now() WHERE id = ANY ($1::text[])`;
