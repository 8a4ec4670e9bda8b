import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { plainJson } from '../values/column-values.adapter.ts';
import type { WebhookRegistration } from './registration.ts';

/** The webhook of a merchant, which has at most one; nothing changes it. */
@Entity('webhooks')
@Unique('webhooks_contract_account_id_key', ['contractAccountId'])
export class WebhookEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'webhooks_contract_account_id_fkey' })
  contractAccountId!: string;

  @Column({ type: 'json', transformer: plainJson })
  registration!: WebhookRegistration;
}
