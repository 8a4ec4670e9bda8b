import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { WebhookRegistration } from '../domain/webhooks/registration.ts';
import { WebhooksRepository } from '../outbound/webhooks.repository.ts';
import { Ids } from './ids.ts';

@Injectable()
export class RegisterWebhook {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksRepository,
    private readonly ids: Ids,
  ) {}

  /** The webhook's id; undefined when the merchant has one already. */
  async register(contractAccountId: string, registration: WebhookRegistration): Promise<string | undefined> {
    const id = this.ids.newGuid();
    return (await this.webhooks.add(this.database, id, contractAccountId, registration)) ? id : undefined;
  }
}
