import { MAX_ITEMS } from '../limits.ts';
import { type PickingOutcome, PICKING_OUTCOMES } from '../orders/picking-items.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { Field } from './field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';
import type { DecimalInput } from './sku-record.dto.ts';

export class PickedQuantityDto {
  @Field({ type: 'decimal', required: 'always', min: 0 }) value!: DecimalInput;
  @Field({ type: 'unit', required: 'always' }) unit!: UnitName;
}

export class PickingItemDto {
  @Field({ type: 'identity', required: 'always' }) skuExternalReference!: string;
  /** Where a SKU occurs twice in the order. */
  @Field({ type: 'integer', min: 1 }) line?: DecimalInput | null;
  @Field({ type: 'choice', required: 'always', choices: PICKING_OUTCOMES }) outcome!: PickingOutcome;
  /** The replaced SKU's reference. */
  @Field({ type: 'identity' }) substitutes?: string | null;
  @Field({ type: 'record' }) quantity?: PickedQuantityDto | null;
  @Field({ type: 'decimal', min: 0 }) unitPrice?: DecimalInput | null;
  @Field({ type: 'decimal', min: 0 }) total?: DecimalInput | null;
}

/** PUT order, confirmed by 1300; lines left out stay as they were ordered. */
export class ReportPickingDto extends OrderCommandDto {
  /** The whole total with freight. */
  @Field({ type: 'money', required: 'always', min: 0 }) finalOrderPrice!: DecimalInput;
  @Field({ type: 'list', required: 'always', maxEntries: MAX_ITEMS }) items!: PickingItemDto[];
}
