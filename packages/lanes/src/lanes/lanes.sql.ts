/**
 * The statements of `Lanes`. Several lanes are always locked in the order of (tenant, kind, identity), whose
 * columns are COLLATE "C". A consumer, which does not know the lanes' ids yet, can follow the same order, so no
 * deadlock occurs.
 *
 * A lane is *held* by the worker with its current epoch while a lease is stored. `finish` and `handBack` remove the
 * lease, so that no worker finishes twice. After the lease's end the lane is still held until another worker claims
 * it and raises the epoch.
 */

/**
 * $1 tenants, $2 kinds, $3 identities. The rows are locked until the transaction ends. Claims take the longest due
 * first: a microsecond apart, lanes of one batch stay in their order.
 */
export const WAKE_LANES = `
  INSERT INTO lanes (tenant, kind, identity, due_at)
  SELECT k.tenant, k.kind, k.identity, now() + min(k.place) * interval '1 microsecond'
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS k (tenant, kind, identity, place)
  GROUP BY k.tenant, k.kind, k.identity
  ORDER BY k.tenant COLLATE "C", k.kind COLLATE "C", k.identity COLLATE "C"
  ON CONFLICT (tenant, kind, identity) DO UPDATE SET due_at = LEAST(lanes.due_at, excluded.due_at)
  RETURNING id, tenant, kind, identity`;

/**
 * Lanes of a group that are ready from one time to another, along `lanes_ready`. As equal tenant and kind and an order
 * by time it would mean the same, but PostgreSQL then reads all lanes of the group and sorts them while its statistics
 * are older than a load: it expects a single lane.
 */
function readyFrom([tenant, kind]: readonly [string, string], from: string, to: string): string {
  return `(tenant, kind, ready_at) >= (${tenant}, ${kind}, ${from}) AND (tenant, kind, ready_at) <= (${tenant}, ${kind}, ${to})
      AND ready_at IS NOT NULL ORDER BY tenant, kind, ready_at`;
}

const NOW = 'statement_timestamp()';

/**
 * $1 tenant, $2 kind, $3 limit, $4 lease in ms. Rows locked by another transaction are skipped; the condition is
 * checked again on the row's newest version, so two claims never get one lane. MATERIALIZED: the planner must not
 * run the locking query twice. A lease that ran out counts as a failure, so that a lane which ends its worker's
 * process does not take the same batch with it again. The ids as an array: joined with a limit that is mostly far from
 * reached, PostgreSQL read all lanes of the table.
 */
export const CLAIM_LANES = `
  WITH due AS MATERIALIZED (
    SELECT id, ready_at FROM lanes
    WHERE ${readyFrom(['$1', '$2'], "'-infinity'", NOW)} LIMIT $3
    FOR NO KEY UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE lanes SET due_at = NULL, epoch = epoch + 1, failures = failures + (lease_until IS NOT NULL)::integer,
      lease_until = clock_timestamp() + $4 * interval '1 millisecond'
    WHERE id = ANY (ARRAY(SELECT id FROM due))
    RETURNING id, tenant, kind, identity, epoch, failures
  )
  SELECT claimed.* FROM claimed JOIN due USING (id) ORDER BY due.ready_at`;

const OF_GROUP = ['k.tenant', 'k.kind'] as const;
const AHEAD = `${NOW} + $3 * interval '1 millisecond'`;

/**
 * $1 tenants, $2 kinds, in pairs; $3 milliseconds ahead for which due times are looked up. Two look-ups in the index of
 * ready lanes for each pair. Without the limit the second one would read the entries of all leases that were returned
 * since VACUUM last removed them.
 */
export const READINESS = `
  SELECT k.tenant, k.kind,
    (SELECT ready_at FROM lanes WHERE ${readyFrom(OF_GROUP, "'-infinity'", NOW)} LIMIT 1) IS NOT NULL AS "isReady",
    EXTRACT(EPOCH FROM (SELECT ready_at FROM lanes WHERE ${readyFrom(OF_GROUP, NOW, AHEAD)} LIMIT 1) - ${NOW})::float8
      * 1000 AS "nextInMs"
  FROM unnest($1::text[], $2::text[]) AS k (tenant, kind)`;

/**
 * $1 ids, $2 epochs. A claim removes the due time, so a lane that has one was woken since. Whatever changes an entity
 * wakes its lane first: what was loaded of a lane that was not woken is still so, and stays so until the lock is
 * returned. The ids once more as an array: while the statistics know of no lease, PostgreSQL expects one leased lane,
 * reads all lanes of the table, and compares each leased one with each id.
 */
export const LOCK_HELD = `
  SELECT l.id, l.due_at IS NOT NULL AS "isWoken" FROM lanes AS l JOIN unnest($1::bigint[], $2::bigint[]) AS k (id, epoch) ON l.id = k.id
  WHERE l.id = ANY (ARRAY(SELECT unnest($1::bigint[]))) AND l.epoch = k.epoch AND l.lease_until IS NOT NULL
  ORDER BY l.tenant, l.kind, l.identity
  FOR NO KEY UPDATE OF l`;

/** $1 ids and $2 epochs of lanes, $3 lease in ms. */
export const RENEW_LANES = `
  WITH held AS MATERIALIZED (${LOCK_HELD})
  UPDATE lanes SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
  FROM held WHERE lanes.id = held.id
  RETURNING lanes.id`;

/**
 * $1 ids, $2 epochs, $3 milliseconds until each is due; null: not before it is woken. Equal times are a microsecond
 * apart, so that the lanes return in their order.
 */
const FINISHED = `
  UPDATE lanes SET lease_until = NULL, failures = 0,
    due_at = LEAST(due_at,
      statement_timestamp() + k.in_ms * interval '1 millisecond' + k.place * interval '1 microsecond')
  FROM held JOIN unnest($1::bigint[], $3::float8[]) WITH ORDINALITY AS k (id, in_ms, place) ON k.id = held.id
  WHERE lanes.id = held.id
  RETURNING lanes.id, held."isWoken",
    EXTRACT(EPOCH FROM lanes.due_at - statement_timestamp())::float8 * 1000 AS "dueInMs"`;

/** A statement of its own that writes beside the lanes: it reads `held`, and its parameters begin at $4. */
export function finishLanes(beside?: string): string {
  const writes = beside === undefined ? '' : `, beside AS (${beside})`;
  return `WITH held AS MATERIALIZED (${LOCK_HELD}), finished AS (${FINISHED})${writes} SELECT * FROM finished`;
}

/** $1 ids, $2 epochs. As with `finishLanes`, but the leases stay, and parameters begin at $3. */
export function checkLanes(beside: string): string {
  return `WITH held AS MATERIALIZED (${LOCK_HELD}), beside AS (${beside}) SELECT * FROM held`;
}

/** Time over which lanes are spread that are woken together. */
const WAKING = `interval '2 seconds'`;

/** $1 ids and $2 epochs of lanes. */
export const HAND_BACK_LANES = `
  WITH held AS MATERIALIZED (${LOCK_HELD})
  UPDATE lanes SET lease_until = NULL, due_at = LEAST(due_at, clock_timestamp())
  FROM held WHERE lanes.id = held.id`;

/** $1 ids and $2 epochs of lanes, $3 milliseconds until each is tried again. */
export const POSTPONE_LANES = `
  WITH held AS MATERIALIZED (${LOCK_HELD})
  UPDATE lanes SET lease_until = NULL, failures = failures + 1, due_at = clock_timestamp() + k.in_ms * interval '1 millisecond'
  FROM held JOIN unnest($1::bigint[], $3::float8[]) AS k (id, in_ms) ON k.id = held.id
  WHERE lanes.id = held.id`;

/**
 * $1 tenant, $2 limit. Lanes that sleep become due within seconds, not all at once. A lane with a step under way is
 * due again after it: the step may have begun before that for which the lanes slept had ended.
 */
export const WAKE_SLEEPING = `
  UPDATE lanes SET due_at = now() + CASE WHEN due_at IS NULL THEN 0 ELSE random() END * ${WAKING}
  WHERE id IN (
    SELECT id FROM lanes
    WHERE tenant = $1 AND ready_at IS NOT NULL AND (CASE WHEN lease_until IS NULL
      THEN due_at > now() + ${WAKING} ELSE due_at IS NULL END)
    ORDER BY kind, identity LIMIT $2 FOR NO KEY UPDATE)`;

/** Number of ready lanes that no worker has claimed, and the oldest due time, by tenant and kind. */
export const READY_LANES = `
  SELECT tenant, kind, count(*)::float8 AS lanes,
    EXTRACT(EPOCH FROM statement_timestamp() - min(ready_at))::float8 * 1000 AS "oldestMs"
  FROM lanes WHERE ready_at <= statement_timestamp()
  GROUP BY tenant, kind`;

/** Steps that failed in a row, after a quarter of an hour, before a lane is shown to operators; also in its index. */
const IS_STUCK = 'failures >= 10';

/** $1 limit of lanes, $2 limit of commands for each, $3 tenant; null for all. The commands are the oldest open ones. */
export const STUCK_LANES = `
  SELECT l.tenant, l.kind, l.identity, l.failures, l.ready_at AS "nextTryAt", ARRAY(
    SELECT command_id FROM commands AS c WHERE c.lane_id = l.id AND c.state = 'open' ORDER BY c.id LIMIT $2
  ) AS "commandIds"
  FROM lanes AS l WHERE ${IS_STUCK} AND ($3::text IS NULL OR l.tenant = $3)
  ORDER BY l.tenant, l.kind, l.identity LIMIT $1`;

/** Stuck lanes by tenant and kind. */
export const COUNT_STUCK = `SELECT tenant, kind, count(*)::float8 AS lanes FROM lanes WHERE ${IS_STUCK} GROUP BY tenant, kind`;

/** $1 tenant, $2 kind, $3 identity. */
export const FIND_LANE = `
  SELECT id, due_at AS "dueAt", lease_until AS "leaseUntil", failures FROM lanes WHERE tenant = $1 AND kind = $2 AND identity = $3`;

/** $1 ids. */
export const KEYS_OF_LANES = `SELECT id, tenant, kind, identity FROM lanes WHERE id = ANY ($1::bigint[])`;

/** $1 tenants, $2 kinds, $3 identities. */
export const IDS_OF_LANES = `
  SELECT l.id, l.tenant, l.kind, l.identity
  FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant, kind, identity)
  JOIN lanes AS l ON (l.tenant, l.kind, l.identity) = (k.tenant, k.kind, k.identity)`;

/** $1 tenants, $2 kinds, $3 identities. */
export const EXISTING_LANES = `
  SELECT DISTINCT l.tenant, l.kind, l.identity
  FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant, kind, identity)
  JOIN lanes AS l ON (l.tenant, l.kind, l.identity) = (k.tenant, k.kind, k.identity)`;
