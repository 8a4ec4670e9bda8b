import { Injectable } from '@nestjs/common';
import type { WebhookRegistration } from '../domain/webhooks/registration.ts';
import type { Queryable } from './queryable.ts';

/** One webhook per merchant, at most; nothing changes it. */
@Injectable()
export class WebhooksRepository {
  /** False when the merchant has one already. */
  async add(db: Queryable, id: string, contractAccountId: string, registration: WebhookRegistration): Promise<boolean> {
    const { rowCount } = await db.query(
      `INSERT INTO webhooks (id, contract_account_id, registration) VALUES ($1, $2, $3)
       ON CONFLICT (contract_account_id) DO NOTHING`,
      [id, contractAccountId, JSON.stringify(registration)],
    );
    return rowCount === 1;
  }

  async find(db: Queryable, contractAccountId: string): Promise<WebhookRegistration | undefined> {
    const { rows } = await db.query<{ registration: WebhookRegistration }>(
      'SELECT registration FROM webhooks WHERE contract_account_id = $1',
      [contractAccountId],
    );
    return rows[0]?.registration;
  }
}
