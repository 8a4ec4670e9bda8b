import { createHash, randomBytes } from 'node:crypto';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { emailPattern, emailsIn, normalEmail } from '@gondola/shared/json/email-pattern';
import { Injectable } from '@nestjs/common';
import { IS_WAITING } from './notification.entity.ts';
import { UserErasureEntity } from './user-erasure.entity.ts';

/** An erasure without the salt and hash that recognise its shopper. */
export type UserErasure = Omit<UserErasureEntity, 'salt' | 'emailHash'>;

/** Note of an open entry that is discarded because its body is erased. */
const NOTE = 'Erased at the request of its shopper';

/** Rows that are searched in one statement; each may have megabytes. */
const PAGE = 500;

/**
 * $1 tenant, $2 pattern of the e-mail, $3 last id of the page before. A waiting notification loses its topic, so that
 * it is not published.
 */
const ERASE_NOTIFICATIONS = paged(
  `SELECT id FROM notifications WHERE related_entity = 'User' AND id > $3 ORDER BY id LIMIT ${PAGE}`,
  `UPDATE notifications AS n SET body = NULL, erased_bytes = length(n.body), erased_at = now(),
     topic = CASE WHEN ${IS_WAITING} THEN NULL ELSE topic END
   FROM page WHERE n.id = page.id AND n.tenant = $1 AND n.body IS NOT NULL AND lower(encode(n.body, 'escape')) ~ $2`,
);

/** $4 note. Any entry that holds the e-mail is the shopper's, whichever entity it concerns. */
const ERASE_QUARANTINED = paged(
  `SELECT id FROM quarantine WHERE id > $3 ORDER BY id LIMIT ${PAGE}`,
  `UPDATE quarantine AS q SET body = NULL, erased_bytes = length(q.body), erased_at = now(),
     settled_at = CASE WHEN q.state = 'open' THEN now() ELSE q.settled_at END,
     note = CASE WHEN q.state = 'open' THEN $4 ELSE q.note END,
     state = CASE WHEN q.state = 'open' THEN 'discarded' ELSE q.state END
   FROM page WHERE q.id = page.id AND q.tenant = $1 AND q.body IS NOT NULL AND lower(encode(q.body, 'escape')) ~ $2`,
);

function paged(page: string, erase: string): string {
  return `WITH page AS (${page}), erased AS (${erase} RETURNING 1)
    SELECT (SELECT max(id) FROM page)::text AS last, (SELECT count(*) FROM page)::int AS read,
      (SELECT count(*) FROM erased)::int AS erased`;
}

/**
 * Shared lock: held while rows are compared with the erasures and stored. Exclusive lock: held while an erasure is
 * recorded, so that each row either is stored before and found by its search, or is compared with it.
 */
const LOCK_IN_COMMON = `SELECT pg_advisory_xact_lock_shared(hashtextextended(current_schema || '.user_erasures', 0))`;
const LOCK_ALONE = `SELECT pg_advisory_xact_lock(hashtextextended(current_schema || '.user_erasures', 0))`;

/** $1 tenants. */
const KNOWN = `
  SELECT tenant, salt, email_hash AS "emailHash" FROM user_erasures
  WHERE tenant = ANY ($1::text[]) AND email_hash IS NOT NULL AND known_until > now()`;

/** $1 dedup keys. A copy on the topic stays there. */
const ERASE_LATE_NOTIFICATIONS = `
  UPDATE notifications SET body = NULL, erased_bytes = length(body), erased_at = now(),
    topic = CASE WHEN sent_at IS NULL AND parked_at IS NULL THEN NULL ELSE topic END
  WHERE dedup_key = ANY ($1::text[]) AND body IS NOT NULL`;

/** $1 dedup keys, $2 note. */
const ERASE_LATE_QUARANTINED = `
  UPDATE quarantine SET body = NULL, erased_bytes = length(body), erased_at = now(), settled_at = now(), note = $2,
    state = 'discarded'
  WHERE dedup_key = ANY ($1::text[]) AND body IS NOT NULL`;

const FORGET = `UPDATE user_erasures SET salt = NULL, email_hash = NULL WHERE email_hash IS NOT NULL AND known_until <= now()`;

const SALT_BYTES = 16;

/** A row that is being stored and may concern an erased shopper. */
export interface LateRow {
  readonly dedupKey: string;
  readonly received: { readonly tenant: string; readonly body: Buffer };
}

type ErasedPage = { readonly last: string | null; readonly read: number; readonly erased: number };

interface KnownErasure {
  readonly tenant: string;
  readonly salt: Buffer;
  readonly emailHash: Buffer;
}

/**
 * Erases the content received about a shopper, whose identity is an e-mail. No column holds an e-mail (rule 1), so
 * the stored content itself is searched. Tested in user-erasures.int.spec.ts.
 */
@Injectable()
export class UserErasuresRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the erasure, so that later content is recognised, and then erases what is stored, page by page and without
   * a lock that ingest would wait for. If it breaks off, a repeat finds what is left.
   */
  async run(tenant: string, email: string, at: Date, knownUntil: Date): Promise<UserErasure> {
    const pattern = emailPattern(email);
    const salt = randomBytes(SALT_BYTES);
    const hashed = { salt, emailHash: hashOf(salt, normalEmail(email)) };
    const nothing = { notifications: 0, quarantined: 0 };
    const id = await this.database.transaction(async (tx) => {
      await tx.query(LOCK_ALONE);
      const erasure = { tenant, at, ...nothing, knownUntil, ...hashed };
      const { identifiers } = await this.database.repository(UserErasureEntity, tx).insert(erasure);
      return (identifiers[0] as { id: string }).id;
    });
    const counts = {
      notifications: await this.#erase(ERASE_NOTIFICATIONS, [tenant, pattern]),
      quarantined: await this.#erase(ERASE_QUARANTINED, [tenant, pattern], [NOTE]),
    };
    await this.database.repository(UserErasureEntity).update({ id }, counts);
    return { id, tenant, at, ...counts, knownUntil };
  }

  async #erase(statement: string, of: readonly string[], more: readonly string[] = []): Promise<number> {
    let erased = 0;
    for (let after = '0'; ;) {
      const { rows } = await this.database.query<ErasedPage>(statement, [...of, after, ...more]);
      const page = rows[0]!;
      erased += page.erased;
      if (page.last === null || page.read < PAGE) return erased;
      after = page.last;
    }
  }

  /**
   * Stores rows by `store` and erases the content of those that hold the e-mail of an erased shopper, before they
   * become visible or are published.
   */
  async storeErased<Result>(
    rows: readonly LateRow[],
    kind: 'notifications' | 'quarantine',
    store: (tx: Tx) => Promise<Result>,
    within?: Tx,
  ): Promise<Result> {
    const inside = async (tx: Tx): Promise<Result> => {
      await tx.query(LOCK_IN_COMMON);
      const late = await this.#late(tx, rows);
      const result = await store(tx);
      if (late.length > 0 && kind === 'notifications') await tx.query(ERASE_LATE_NOTIFICATIONS, [late]);
      if (late.length > 0 && kind === 'quarantine') await tx.query(ERASE_LATE_QUARANTINED, [late, NOTE]);
      return result;
    };
    return within === undefined ? this.database.transaction(inside) : inside(within);
  }

  /** Deletes the hashes that have expired. */
  async forget(): Promise<void> {
    await this.database.query(FORGET);
  }

  /** Dedup keys of the rows that hold the e-mail of an erased shopper. */
  async #late(tx: Tx, rows: readonly LateRow[]): Promise<string[]> {
    const tenants = [...new Set(rows.map(({ received }) => received.tenant))];
    const { rows: known } = await tx.query<KnownErasure & { [column: string]: unknown }>(KNOWN, [tenants]);
    if (known.length === 0) return [];
    return rows.filter((row) => isOfAny(row, known)).map(({ dedupKey }) => dedupKey);
  }
}

function isOfAny({ received: { tenant, body } }: LateRow, known: readonly KnownErasure[]): boolean {
  const emails = emailsIn(body);
  return known.some(
    (erasure) =>
      erasure.tenant === tenant && emails.some((email) => hashOf(erasure.salt, email).equals(erasure.emailHash)),
  );
}

function hashOf(salt: Buffer, email: string): Buffer {
  return createHash('sha256').update(salt).update(email).digest();
}
