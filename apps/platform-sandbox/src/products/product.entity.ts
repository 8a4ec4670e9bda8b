import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, Unique } from 'typeorm';
import { BrandEntity } from '../catalog/brand.entity.ts';
import { CategoryEntity } from '../catalog/category.entity.ts';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { exactJson, outsideText, ticks } from '../values/column-values.adapter.ts';
import type { JsonObject } from '../values/exact-json.ts';
import type { Ticks } from '../values/local-time.ts';
import type { Product, Sku } from './product.ts';

@Entity('products')
@Unique('products_contract_account_id_external_reference_key', ['contractAccountId', 'externalReference'])
@Unique('products_contract_account_id_slug_key', ['contractAccountId', 'slug'])
@Index('products_brand', ['brandId'])
export class ProductEntity implements Product {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'products_contract_account_id_fkey' })
  contractAccountId!: string;

  @Column({ name: 'external_reference', type: 'text', transformer: outsideText })
  externalReference!: string;

  @Column({ type: 'text', transformer: outsideText })
  slug!: string;

  @Column({ type: 'json', transformer: exactJson })
  fields!: JsonObject;

  @Column({ name: 'brand_id', type: 'text', nullable: true })
  @ForeignKey(() => BrandEntity, { name: 'products_brand_id_fkey', onDelete: 'SET NULL' })
  brandId!: string | null;

  @Column({ name: 'category_id', type: 'text', nullable: true })
  @ForeignKey(() => CategoryEntity, { name: 'products_category_id_fkey' })
  categoryId!: string | null;

  @Column({ name: 'created_at', type: 'bigint', transformer: ticks })
  createdAt!: Ticks;

  @Column({ name: 'updated_at', type: 'bigint', transformer: ticks })
  updatedAt!: Ticks;

  @OneToMany(() => SkuEntity, (sku) => sku.product)
  skus!: SkuEntity[];
}

@Entity('skus')
@Unique('skus_contract_account_id_external_reference_key', ['contractAccountId', 'externalReference'])
@Index('skus_product', ['productId', 'position'])
export class SkuEntity implements Sku {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'product_id', type: 'text' })
  productId!: string;

  @ManyToOne(() => ProductEntity, (product) => product.skus)
  @JoinColumn({ name: 'product_id', foreignKeyConstraintName: 'skus_product_id_fkey' })
  product?: unknown;

  @Column({ name: 'contract_account_id', type: 'text' })
  contractAccountId!: string;

  @Column({ name: 'external_reference', type: 'text', transformer: outsideText })
  externalReference!: string;

  /** Position in the product, from 1. */
  @Column({ type: 'integer' })
  position!: number;

  @Column({ type: 'json', transformer: exactJson })
  fields!: JsonObject;
}
