import { Database } from '@gondola/service-kit/database/database';
import { emailPattern } from '@gondola/shared/json/email-pattern';
import { Injectable } from '@nestjs/common';

const FACTS_AT_ONCE = 2_000;

/** $1 tenant, $2 id of the last read fact, $3 limit, $4 pattern of the e-mail. One row: the last fact read. */
const NUMBERS = `
  SELECT max(id) AS last, count(*)::integer AS read,
    array_agg(DISTINCT order_number) FILTER (WHERE lower(encode(data, 'escape')) ~ $4) AS numbers
  FROM (
    SELECT id, order_number, data FROM order_facts
    WHERE tenant = $1 AND id > $2 AND NOT is_redacted AND data IS NOT NULL ORDER BY id LIMIT $3
  ) AS next`;

/**
 * Finds the orders of a shopper by e-mail. No column holds one, so the stored content itself is searched in pages: an
 * erasure is rare, and an index would be one more place with the e-mail.
 */
@Injectable()
export class ShopperOrdersRepository {
  constructor(private readonly database: Database) {}

  /** Numbers of the tenant's orders that are not erased, lowest first. */
  async numbersOf(tenant: string, email: string): Promise<string[]> {
    const found = new Set<string>();
    const pattern = emailPattern(email);
    for (let after = '0'; ;) {
      const { rows } = await this.database.query<{ last: string | null; read: number; numbers: string[] | null }>(
        NUMBERS,
        [tenant, after, FACTS_AT_ONCE, pattern],
      );
      const { last = null, read = 0, numbers = null } = rows[0] ?? {};
      for (const number of numbers ?? []) found.add(number);
      if (last === null || read < FACTS_AT_ONCE)
        return [...found].toSorted((one, other) => Number(one) - Number(other));
      after = last;
    }
  }
}
