import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { sandboxEntities } from '../database.schema.ts';
import { TenantsRepository } from '../outbound/tenants.repository.ts';
import { FaultBoard } from './fault-board.ts';
import { SwitchBoard } from './switch-board.ts';
import { WebhookSender } from './webhook.sender.ts';

/** Everything as at the first start, merchants and webhooks included; the only way to be rid of a webhook. */
@Injectable()
export class ResetSandbox {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsRepository,
    private readonly sender: WebhookSender,
    private readonly faults: FaultBoard,
    private readonly switches: SwitchBoard,
  ) {}

  /** Numbers and sequences go on, so that nothing that is made afterwards is taken for something older. */
  async reset(): Promise<void> {
    await this.sender.setPaused(true);
    const tables = sandboxEntities.map((entity) => this.database.repository(entity).metadata.tableName);
    await this.database.query(`TRUNCATE ${tables.join(', ')}`);
    this.tenants.forget();
    await this.faults.start();
    await this.switches.start();
    await this.sender.setPaused(false);
  }
}
