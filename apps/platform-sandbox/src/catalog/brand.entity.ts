import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { exactJson, outsideText } from '../values/column-values.adapter.ts';
import type { JsonObject } from '../values/exact-json.ts';
import type { Brand } from './brand.ts';

@Entity('brands')
@Unique('brands_contract_account_id_external_reference_key', ['contractAccountId', 'externalReference'])
export class BrandEntity implements Brand {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'brands_contract_account_id_fkey' })
  contractAccountId!: string;

  @Column({ name: 'external_reference', type: 'text', transformer: outsideText })
  externalReference!: string;

  @Column({ type: 'json', transformer: exactJson })
  fields!: JsonObject;
}
