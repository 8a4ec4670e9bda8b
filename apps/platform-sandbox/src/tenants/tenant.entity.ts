import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Shop } from '../orders/order.ts';
import { plainJson } from '../values/column-values.adapter.ts';

/** A merchant. Its GUID is unique regardless of case, and stored as registered. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn({ name: 'contract_account_id', type: 'text' })
  contractAccountId!: string;

  @Column({ type: 'text' })
  username!: string;

  @Column({ name: 'password_digest', type: 'bytea' })
  passwordDigest!: Buffer;

  @Column({ name: 'api_key_digest', type: 'bytea' })
  apiKeyDigest!: Buffer;

  @Column({ type: 'json', transformer: plainJson })
  shop!: Shop;
}
