import { Database } from '@gondola/service-kit/database/database';
import { emailPattern } from '@gondola/shared/json/email-pattern';
import { Injectable } from '@nestjs/common';
import { IS_WAITING } from './erasure.entity.ts';
import { UserErasureEntity } from './user-erasure.entity.ts';

/** Why an open entry is discarded when its body is erased. */
const NOTE = 'Erased at the request of its shopper';

/** $1 tenant, $2 pattern of the e-mail. */
const IS_OF_USER = `n.tenant = $1 AND n.related_entity = 'User' AND n.body IS NOT NULL
  AND lower(encode(n.body, 'escape')) ~ $2`;

const ERASE_NOTIFICATIONS = `
  UPDATE notifications AS n SET body = NULL, erased_bytes = length(n.body), erased_at = now()
  WHERE ${IS_OF_USER} AND NOT (${IS_WAITING})`;

const COUNT_WAITING = `SELECT count(*)::integer AS waiting FROM notifications AS n WHERE ${IS_OF_USER} AND ${IS_WAITING}`;

/** Whatever it is about: an entry that has the e-mail is the shopper's. */
const ERASE_QUARANTINED = `
  UPDATE quarantine AS q SET body = NULL, erased_bytes = length(q.body), erased_at = now(),
    settled_at = CASE WHEN q.state = 'open' THEN now() ELSE q.settled_at END,
    note = CASE WHEN q.state = 'open' THEN $3 ELSE q.note END,
    state = CASE WHEN q.state = 'open' THEN 'discarded' ELSE q.state END
  WHERE q.tenant = $1 AND q.body IS NOT NULL AND lower(encode(q.body, 'escape')) ~ $2`;

/**
 * Erases what was received about a shopper, whose identity is an e-mail. No column holds one (rule 1), so that the
 * stored content itself is searched. Tested in user-erasures.int.spec.ts.
 */
@Injectable()
export class UserErasuresRepository {
  constructor(private readonly database: Database) {}

  /** Erases what may be erased now and records that; what waits to be sent is counted and stays. */
  async run(tenant: string, email: string, at: Date): Promise<UserErasureEntity> {
    const pattern = emailPattern(email);
    return this.database.transaction(async (tx) => {
      const notifications = (await tx.query(ERASE_NOTIFICATIONS, [tenant, pattern])).rowCount ?? 0;
      const quarantined = (await tx.query(ERASE_QUARANTINED, [tenant, pattern, NOTE])).rowCount ?? 0;
      const { rows } = await tx.query<{ waiting: number }>(COUNT_WAITING, [tenant, pattern]);
      const erasure = { tenant, at, notifications, quarantined, waiting: rows[0]?.waiting ?? 0 };
      return this.database.repository(UserErasureEntity, tx).save(erasure);
    });
  }
}
