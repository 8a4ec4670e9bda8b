import { selectRows } from '../store/new-rows.ts';
import { COMMAND_COLUMNS } from './new-command.ts';

const NEW_COLUMNS = COMMAND_COLUMNS.map(([name]) => name).join(', ');

/**
 * Places are drawn in the order of arrival, before the rows are sorted by key: replicas that insert the same keys in
 * different orders deadlock. The first of two rows with one key stays first.
 */
export const INSERT_COMMANDS = {
  name: 'insert commands in places',
  text: `
    WITH placed AS MATERIALIZED (
      SELECT nextval(pg_get_serial_sequence('commands', 'place')) AS place, given.*
      FROM (${selectRows(COMMAND_COLUMNS)}) AS given
    )
    INSERT INTO commands (place, ${NEW_COLUMNS})
    SELECT * FROM placed ORDER BY tenant COLLATE "C", topic COLLATE "C", command_id COLLATE "C", place
    ON CONFLICT (tenant, topic, command_id) DO NOTHING RETURNING id, tenant, topic, command_id AS "commandId"`,
};

/** $1 tenants, $2 topics, $3 command ids. */
export const FIRST_COMMANDS = `
  SELECT c.id, c.tenant, c.topic, c.command_id AS "commandId", c.content_hash AS "contentHash", c.outcome,
    c.result_id AS "resultId"
  FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant, topic, command_id)
  JOIN commands AS c ON (c.tenant, c.topic, c.command_id) = (k.tenant, k.topic, k.command_id)`;

const OPEN_COLUMNS = `
  id, lane_id AS "laneId", tenant, topic, command_id AS "commandId", command, queue, value, traceparent,
  received_at AS "receivedAt", produced_at AS "producedAt", progress::text, attempts, first_sent_at AS "firstSentAt",
  deadline_at AS "deadlineAt", EXTRACT(EPOCH FROM deadline_at - clock_timestamp())::float8 * 1000 AS "deadlineInMs"`;

/** $1 lane ids. */
export const LANES_WITH_OPEN = `
  SELECT lane.id::text AS "laneId" FROM unnest($1::bigint[]) AS lane (id)
  WHERE EXISTS (SELECT 1 FROM commands WHERE lane_id = lane.id AND state = 'open')`;

/**
 * $1 lane ids. One index lookup per lane and queue finds the oldest open command, however many wait behind it: the
 * recursion goes from queue to queue. By the time of their end, not by their state: with statistics from before a load,
 * which know of no open command, PostgreSQL read all open ones for each lane, along the index of the oldest ones, and
 * took 1.3 s for 50 lanes (`UnfinishedByQueue`).
 */
export const OPEN_HEADS = `
  SELECT head.* FROM unnest($1::bigint[]) AS lane (id)
  CROSS JOIN LATERAL (
    WITH RECURSIVE oldest AS (
      (SELECT * FROM commands WHERE lane_id = lane.id AND finished_at IS NULL ORDER BY queue, place LIMIT 1)
      UNION ALL
      SELECT next.* FROM oldest CROSS JOIN LATERAL (
        SELECT * FROM commands WHERE lane_id = lane.id AND finished_at IS NULL AND queue > oldest.queue
        ORDER BY queue, place LIMIT 1
      ) AS next
    )
    SELECT ${OPEN_COLUMNS}, (
      SELECT later.id FROM commands AS later WHERE later.lane_id = oldest.lane_id AND later.finished_at IS NULL
        AND later.queue = oldest.queue AND later.place > oldest.place ORDER BY later.queue, later.place LIMIT 1
    ) IS NULL AS "isLast" FROM oldest
  ) AS head`;

/** $1 lane id, $2 how many. */
export const OPEN_COMMANDS = `
  SELECT ${OPEN_COLUMNS} FROM commands WHERE lane_id = $1 AND state = 'open' ORDER BY place LIMIT $2`;

/** $1 tenant, $2 topic, $3 command ids. */
export const NAMED_COMMANDS = `
  SELECT ${OPEN_COLUMNS}, outcome, result_id AS "resultId", finished_at AS "finishedAt",
    (SELECT identity FROM lanes WHERE lanes.id = commands.lane_id) AS identity
  FROM commands WHERE tenant = $1 AND topic = $2 AND command_id = ANY ($3::text[]) ORDER BY place`;

/** $1 lane ids, $2 names of commands. */
export const SAID_IN_LANES = `
  SELECT lane_id AS "laneId", command_id AS "commandId", command, value, outcome FROM commands
  WHERE lane_id = ANY ($1::bigint[]) AND command = ANY ($2::text[]) ORDER BY place`;

/**
 * $1 lane ids, $2 how many commands without an attempt per lane. All commands with an attempt are returned: they
 * are few, since each has had a call.
 */
export const OPEN_OF_LANES = `
  SELECT head.* FROM unnest($1::bigint[]) AS lane (id)
  CROSS JOIN LATERAL (
    SELECT ${OPEN_COLUMNS} FROM (
      (SELECT * FROM commands WHERE lane_id = lane.id AND state = 'open' AND first_sent_at IS NOT NULL)
      UNION ALL
      (SELECT * FROM commands WHERE lane_id = lane.id AND state = 'open' AND first_sent_at IS NULL
       ORDER BY place LIMIT $2)
    ) AS open_commands ORDER BY place
  ) AS head`;

/** $1 tenant, $2 topic, $3 queue, $4 how many; in the order of their arrival. */
export const OPEN_OF_TOPIC = `
  SELECT c.id, lanes.identity, c.value, c.progress::text FROM commands AS c JOIN lanes ON lanes.id = c.lane_id
  WHERE c.tenant = $1 AND c.topic = $2 AND c.state = 'open' AND c.queue = $3 ORDER BY c.place LIMIT $4`;

/** When a command was written, which orders commands of different topics. */
const WRITTEN_AT = (command: string): string => `coalesce(${command}.produced_at, ${command}.received_at)`;

/** $1 lanes, $2 commands, in pairs, $3 queue. */
export const WITH_EARLIER = `
  SELECT asked.lane_id::text AS "laneId", asked.id::text AS "commandId"
  FROM unnest($1::bigint[], $2::bigint[]) AS asked (lane_id, id) JOIN commands AS own ON own.id = asked.id
  WHERE EXISTS (
    SELECT 1 FROM commands AS earlier
    WHERE earlier.lane_id = asked.lane_id AND earlier.state = 'open' AND earlier.queue = $3
      AND ${WRITTEN_AT('earlier')} <= ${WRITTEN_AT('own')})`;

/** $1 tenants, $2 topics, $3 command ids. */
export const LANES_OF_COMMANDS = `
  SELECT l.tenant, l.kind, l.identity FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant, topic, command_id)
  JOIN commands AS c ON (c.tenant, c.topic, c.command_id) = (k.tenant, k.topic, k.command_id)
  JOIN lanes AS l ON l.id = c.lane_id`;

/** Open commands by tenant, kind of lane and name. */
/** $1 tenant, null for all. */
export const COUNT_OPEN = `
  SELECT l.tenant, l.kind, c.command, count(*)::float8 AS open, count(c.first_sent_at)::float8 AS sent
  FROM commands AS c JOIN lanes AS l ON l.id = c.lane_id
  WHERE c.state = 'open' AND ($1::text IS NULL OR l.tenant = $1)
  GROUP BY l.tenant, l.kind, c.command ORDER BY l.tenant COLLATE "C", l.kind, c.command COLLATE "C"`;

/**
 * Oldest open command by tenant and kind of lane. The recursion goes along the index, from the oldest command of a name
 * to that of the next name: it reads a row for each name, however many commands are open or done.
 */
export const OLDEST_OPEN = `
  WITH RECURSIVE oldest AS (
    (SELECT tenant, topic, command, received_at, lane_id FROM commands WHERE state = 'open'
     ORDER BY tenant, topic, command, received_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM oldest CROSS JOIN LATERAL (
      SELECT tenant, topic, command, received_at, lane_id FROM commands
      WHERE state = 'open' AND (tenant, topic, command) > (oldest.tenant, oldest.topic, oldest.command)
      ORDER BY tenant, topic, command, received_at LIMIT 1
    ) AS next
  )
  SELECT oldest.tenant, lane.kind, EXTRACT(EPOCH FROM statement_timestamp() - min(received_at))::float8 AS seconds
  FROM oldest JOIN lanes AS lane ON lane.id = oldest.lane_id GROUP BY oldest.tenant, lane.kind`;

/**
 * $1 ids, $2 progress as JSON text or null for no change, $3 attempts to be added, $4 milliseconds
 * from the first attempt to the deadline or null, $5 whether the command begins to wait for references. If the only
 * attempt is taken back, the deadline is removed with it.
 */
export const SAVE_COMMANDS = saveCommands(1);

/** As SAVE_COMMANDS, with parameters from another number on, and only of commands that meet a condition as well. */
export function saveCommands(first: number, condition = ''): string {
  const [ids, progress, attempts, deadlines, awaits] = [0, 1, 2, 3, 4].map((index) => `$${first + index}`);
  return `
  UPDATE commands AS c SET
    progress = COALESCE(k.progress::json, c.progress),
    attempts = GREATEST(c.attempts + k.attempts, 0),
    is_waiting = k.attempts <= 0 AND (c.is_waiting OR k.awaits),
    first_sent_at = CASE WHEN k.attempts > 0 THEN COALESCE(c.first_sent_at, clock_timestamp())
      WHEN k.attempts = 0 OR c.attempts > 1 THEN c.first_sent_at END,
    deadline_at = CASE
      WHEN k.attempts > 0 THEN COALESCE(c.deadline_at, clock_timestamp() + k.deadline_ms * interval '1 millisecond')
      WHEN k.attempts = 0 OR c.attempts > 1 THEN c.deadline_at END
  FROM unnest(${ids}::bigint[], ${progress}::text[], ${attempts}::integer[], ${deadlines}::float8[], ${awaits}::boolean[])
    AS k (id, progress, attempts, deadline_ms, awaits)
  WHERE c.id = k.id AND c.state = 'open' ${condition}`;
}

/** $1 ids, $2 their lanes, $3 lanes to which they go. */
export const MOVE_COMMANDS = `
  UPDATE commands AS c SET lane_id = k.to_lane
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (id, from_lane, to_lane)
  WHERE c.id = k.id AND c.lane_id = k.from_lane AND c.state = 'open' AND c.first_sent_at IS NULL`;

/** $1 ids, $2 outcomes, $3 ids of results. With the lane locked, `isErased` holds until the transaction ends. */
export const CONCLUDE_COMMANDS = `
  UPDATE commands AS c SET state = 'done', outcome = k.outcome, result_id = k.result_id, finished_at = clock_timestamp()
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS k (id, outcome, result_id)
  WHERE c.id = k.id AND c.state = 'open'
  RETURNING c.id, EXISTS (
    SELECT FROM lanes AS lane JOIN order_erasures AS e ON e.tenant = lane.tenant AND e.order_number = lane.identity
    WHERE lane.id = c.lane_id AND lane.kind = 'order'
  ) AS "isErased"`;

/** $1 lane id, $2 names of commands that stay as they are. */
export const ERASE_COMMANDS = `
  UPDATE commands SET value = NULL, progress = NULL
  WHERE lane_id = $1 AND state = 'done' AND command <> ALL ($2::text[]) AND (value IS NOT NULL OR progress IS NOT NULL)`;

/** Number of a lane's commands that `ERASE_COMMANDS` leaves alone; $2 is the same. */
export const COUNT_STAYING = `
  SELECT count(*) FILTER (WHERE state = 'open')::float8 AS open,
    count(*) FILTER (WHERE state = 'done' AND command = ANY ($2::text[]))::float8 AS named
  FROM commands WHERE lane_id = $1`;

/** $1 lane ids, $2 id that is above all of the page, $3 how many; newest first. */
export const COMMANDS_OF_LANES = `
  SELECT c.id, lane.kind, lane.identity, c.command_id AS "commandId", c.command, c.received_at AS "receivedAt", c.outcome,
    c.finished_at AS "finishedAt", c.load_id AS "loadId"
  FROM commands AS c JOIN lanes AS lane ON lane.id = c.lane_id
  WHERE c.lane_id = ANY ($1::bigint[]) AND c.id < $2::bigint ORDER BY c.id DESC LIMIT $3`;

/** $1 lane id. */
export const DONE_IN_LANE = `SELECT command_id AS "commandId" FROM commands WHERE lane_id = $1 AND state = 'done'`;

/** $1 lane id. */
export const CONTENTS_OF_LANE = 'SELECT value FROM commands WHERE lane_id = $1 AND value IS NOT NULL ORDER BY place';

/**
 * $1 tenant, $2 load. The two halves never count a row twice: one statement sees one state of each row. Commands
 * that are done are counted from the index alone.
 */
export const COUNT_LOAD = `
  SELECT outcome AS state, count(*)::float8 AS commands, max(finished_at) AS "lastFinishedAt",
    count(*) FILTER (WHERE finished_at > statement_timestamp() - interval '1 minute')::float8 AS "lastMinute"
  FROM commands WHERE tenant = $1 AND load_id = $2 AND finished_at IS NOT NULL GROUP BY outcome
  UNION ALL
  SELECT CASE WHEN first_sent_at IS NOT NULL THEN 'sent' WHEN is_waiting THEN 'waiting' ELSE 'queued' END, count(*)::float8,
    NULL, 0
  FROM commands WHERE tenant = $1 AND load_id = $2 AND finished_at IS NULL GROUP BY 1`;

/** $1 tenants, $2 loads; in their order. The command concluded last; an open one has no time and is before all. */
export const LAST_OF_LOADS = `
  SELECT last.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (tenant, load_id, place)
  LEFT JOIN LATERAL (
    SELECT c.finished_at::text AS "finishedAt", c.finished_at < statement_timestamp() - interval '1 minute' AS "isOver"
    FROM commands AS c WHERE c.tenant = k.tenant AND c.load_id = k.load_id ORDER BY c.finished_at DESC LIMIT 1
  ) AS last ON true ORDER BY k.place`;

/** $1 tenants, $2 loads, $3 at most. Counts the open commands of each load, up to $3. */
export const OPEN_OF_LOADS = `
  SELECT k.tenant, k.load_id AS "loadId", (
    SELECT count(*) FROM (
      SELECT 1 FROM commands AS c WHERE c.tenant = k.tenant AND c.load_id = k.load_id AND c.finished_at IS NULL LIMIT $3
    ) AS open_commands
  )::float8 AS open FROM unnest($1::text[], $2::text[]) AS k (tenant, load_id)`;

/** $1 tenant, $2 load, $3 outcomes, $4 at most. The newest commands of the load with one of these outcomes. */
export const ENDED_OF_LOAD = `
  SELECT l.kind, l.identity, c.command_id AS "commandId", c.outcome FROM commands AS c JOIN lanes AS l ON l.id = c.lane_id
  WHERE c.tenant = $1 AND c.load_id = $2 AND c.finished_at IS NOT NULL AND c.outcome = ANY ($3::text[])
  ORDER BY c.finished_at DESC LIMIT $4`;

/** $1 tenants, $2 loads, $3 a time; in their order. The newest of a load is found as in DELETE_CONCLUDED. */
export const GOING_ON = `
  SELECT EXISTS (
    SELECT 1 FROM (
      SELECT c.finished_at FROM commands AS c WHERE c.tenant = k.tenant AND c.load_id = k.load_id
      ORDER BY c.finished_at DESC LIMIT 1
    ) AS newest WHERE newest.finished_at IS NULL OR newest.finished_at >= $3
  ) AS "goesOn"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (tenant, load_id, place) ORDER BY k.place`;

/** $1 milliseconds: the time so long ago. */
export const RETENTION_STARTS = `SELECT clock_timestamp() - $1::float8 * interval '1 millisecond' AS before`;

/**
 * $1 retention in milliseconds. Of the oldest concluded commands, along the primary key; one of a load may stay for
 * twice the retention.
 */
export const OLDEST_CONCLUDED = `
  SELECT min(finished_at + CASE WHEN load_id IS NULL THEN 1 ELSE 2 END * $1::float8 * interval '1 millisecond') AS due
  FROM (SELECT finished_at, load_id FROM commands WHERE state = 'done' ORDER BY id LIMIT 1000) AS oldest`;

/** $1 after which id, $2 how many. Ids are drawn as commands arrive, so that the oldest stand first. */
export const PAGE_OF_COMMANDS = `
  SELECT max(id) AS last, min(received_at) AS oldest
  FROM (SELECT id, received_at FROM commands WHERE id > $1 ORDER BY id LIMIT $2) AS page`;

/**
 * $1 lowest id (exclusive), $2 highest id, $3 time before which the command, and with it all of its load, was
 * concluded, $4 the same time for a command whose load has a later or open command. The load's newest command is the
 * first entry of an index; an open one has no time, comes first, and so prevents the deletion.
 */
export const DELETE_CONCLUDED = `
  DELETE FROM commands WHERE id IN (
    SELECT c.id FROM commands AS c WHERE c.id > $1 AND c.id <= $2 AND c.finished_at < $3
      AND (c.load_id IS NULL OR c.finished_at < $4 OR (
        SELECT newest.finished_at FROM commands AS newest
        WHERE newest.tenant = c.tenant AND newest.load_id = c.load_id ORDER BY newest.finished_at DESC LIMIT 1) < $3)
    ORDER BY c.id FOR UPDATE SKIP LOCKED)`;
