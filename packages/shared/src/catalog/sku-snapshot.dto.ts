import { Field } from '../schemas/field.decorators.ts';

export const SKU_SNAPSHOT_TYPE = 'gondola.sku.v1';

/** Known data of a SKU: the value of `catalog.skus.v1` (contract, "SKU directory"). Absent values are null. */
export class SkuSnapshotDto {
  @Field({ type: 'text', about: '`<key>:<version>`' }) readonly id!: string;
  @Field({ type: 'choice', choices: [SKU_SNAPSHOT_TYPE] }) readonly type!: typeof SKU_SNAPSHOT_TYPE;
  @Field({ type: 'text' }) readonly tenant!: string;
  @Field({ type: 'time' }) readonly time!: string;
  @Field({ type: 'text' }) readonly skuExternalReference!: string;
  @Field({ type: 'text', nullable: true, about: "The platform's GUID" }) readonly skuId!: string | null;
  @Field({ type: 'text' }) readonly productExternalReference!: string;
  @Field({ type: 'text', nullable: true, about: "The platform's GUID" }) readonly productId!: string | null;
  @Field({ type: 'text', nullable: true }) readonly name!: string | null;
  @Field({ type: 'text', nullable: true }) readonly ean!: string | null;
  @Field({ type: 'text', nullable: true }) readonly reference!: string | null;
  @Field({ type: 'text', nullable: true, about: '`Un`, `Kg`, `G` or `Mg`' })
  readonly unitOfMeasurement!: string | null;
  @Field({ type: 'decimal', nullable: true }) readonly arithmeticFactor!: string | null;
  @Field({ type: 'boolean', nullable: true }) readonly active!: boolean | null;
}
