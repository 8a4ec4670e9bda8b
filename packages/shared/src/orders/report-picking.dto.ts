import { MAX_ITEMS } from '../limits.ts';
import { type PickingOutcome, PICKING_OUTCOMES } from './picking-items.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { Field } from '../schemas/field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';
import type { DecimalInput } from '../catalog/sku-record.dto.ts';

export class PickedQuantityDto {
  @Field({ type: 'decimal', required: 'always', min: 0 }) value!: DecimalInput;
  @Field({ type: 'unit', required: 'always', tenantNames: 'catalog.units' }) unit!: UnitName;
}

export class PickingItemDto {
  @Field({ type: 'identity', required: 'always' }) skuExternalReference!: string;
  @Field({ type: 'integer', min: 1, about: 'Line of the order, if its SKU occurs twice' })
  line?: DecimalInput | null;
  @Field({ type: 'choice', required: 'always', choices: PICKING_OUTCOMES }) outcome!: PickingOutcome;
  @Field({ type: 'identity', about: "The replaced SKU's reference" }) substitutes?: string | null;
  @Field({ type: 'record', of: () => PickedQuantityDto }) quantity?: PickedQuantityDto | null;
  @Field({ type: 'decimal', min: 0 }) unitPrice?: DecimalInput | null;
  @Field({ type: 'decimal', min: 0 }) total?: DecimalInput | null;
}

/** PUT order, confirmed by 1300; absent lines stay as ordered. */
export class ReportPickingDto extends OrderCommandDto {
  @Field({ type: 'money', required: 'always', min: 0, about: 'Total of the order, including freight' })
  finalOrderPrice!: DecimalInput;
  @Field({
    type: 'list',
    required: 'always',
    maxEntries: MAX_ITEMS,
    of: () => PickingItemDto,
    about: 'Absent lines stay as ordered',
  })
  items!: PickingItemDto[];
}
