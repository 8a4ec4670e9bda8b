import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { exactJson } from '../values/column-values.adapter.ts';
import type { JsonObject } from '../values/exact-json.ts';
import type { LooseEntity } from './loose-record.ts';

/** The newest price, warehouse or stock of each identity. */
@Entity('loose_records')
export class LooseRecordEntity {
  /** Rises in the order in which identities first arrived. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  seq!: string;

  @PrimaryColumn({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'loose_records_contract_account_id_fkey' })
  contractAccountId!: string;

  @PrimaryColumn({ type: 'text' })
  entity!: LooseEntity;

  /** SHA-256 of the identity, which may have any length and characters that PostgreSQL cannot store. */
  @PrimaryColumn({ type: 'text' })
  identity!: string;

  @Column({ type: 'json', transformer: exactJson })
  data!: JsonObject;
}
