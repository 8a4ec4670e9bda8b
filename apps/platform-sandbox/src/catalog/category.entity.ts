import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { exactJson, outsideText } from '../values/column-values.adapter.ts';
import type { JsonObject } from '../values/exact-json.ts';
import type { Category } from './category.ts';

@Entity('categories')
@Unique('categories_contract_account_id_external_reference_key', ['contractAccountId', 'externalReference'])
@Index('categories_parent', ['parentId'])
export class CategoryEntity implements Category {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'categories_contract_account_id_fkey' })
  contractAccountId!: string;

  @Column({ name: 'external_reference', type: 'text', transformer: outsideText })
  externalReference!: string;

  @Column({ name: 'parent_id', type: 'text', nullable: true })
  @ForeignKey(() => CategoryEntity, { name: 'categories_parent_id_fkey' })
  parentId!: string | null;

  @Column({ type: 'json', transformer: exactJson })
  fields!: JsonObject;
}
