import { Published } from '../schemas/published.decorators.ts';

export const SKU_SNAPSHOT_TYPE = 'gondola.sku.v1';

/** Known data of a SKU: the value of `catalog.skus.v1` (contract, "SKU directory"). Absent values are null. */
export class SkuSnapshotDto {
  @Published({ type: 'text', about: '`<key>:<version>`' }) readonly id!: string;
  @Published({ type: 'word', choices: [SKU_SNAPSHOT_TYPE] }) readonly type!: typeof SKU_SNAPSHOT_TYPE;
  @Published({ type: 'text' }) readonly tenant!: string;
  @Published({ type: 'time' }) readonly time!: string;
  @Published({ type: 'text' }) readonly skuExternalReference!: string;
  @Published({ type: 'text', nullable: true, about: "The platform's GUID" }) readonly skuId!: string | null;
  @Published({ type: 'text' }) readonly productExternalReference!: string;
  @Published({ type: 'text', nullable: true, about: "The platform's GUID" }) readonly productId!: string | null;
  @Published({ type: 'text', nullable: true }) readonly name!: string | null;
  @Published({ type: 'text', nullable: true }) readonly ean!: string | null;
  @Published({ type: 'text', nullable: true }) readonly reference!: string | null;
  @Published({ type: 'text', nullable: true, about: '`Un`, `Kg`, `G` or `Mg`' })
  readonly unitOfMeasurement!: string | null;
  @Published({ type: 'decimal', nullable: true }) readonly arithmeticFactor!: string | null;
  @Published({ type: 'boolean', nullable: true }) readonly active!: boolean | null;
}
