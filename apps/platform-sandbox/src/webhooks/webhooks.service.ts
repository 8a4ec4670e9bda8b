import type { Store, Table } from '../store/store.service.ts';
import type { WebhookRegistration } from './registration.ts';

export interface Webhook {
  readonly id: string;
  readonly contractAccountId: string;
  readonly registration: WebhookRegistration;
}

/** The webhook of each merchant, who has at most one; nothing changes it. */
export class Webhooks {
  readonly table: Table<string, Webhook>;

  constructor(private readonly store: Store) {
    this.table = store.table('webhooks');
  }

  of(contractAccountId: string): Webhook | undefined {
    return this.table.get(contractAccountId);
  }

  /** False if the merchant has one already. */
  register(webhook: Webhook): boolean {
    if (this.table.has(webhook.contractAccountId)) return false;
    this.store.unit(() => this.table.put(webhook.contractAccountId, webhook));
    return true;
  }
}
