import type { FieldTable } from '../fields/field-spec.ts';
import { MAX_ITEMS } from '../limits.ts';
import { type PickingOutcome, PICKING_OUTCOMES } from '../orders/picking-items.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { FromTable } from './field.decorators.ts';
import { ORDER_COMMAND_FIELDS, OrderCommandDto } from './order-command.dto.ts';
import type { DecimalInput } from './sku-record.dto.ts';

export const REPORT_PICKING_FIELDS = {
  ...ORDER_COMMAND_FIELDS,
  finalOrderPrice: { type: 'money', required: 'always', min: 0 },
  items: { type: 'list', required: 'always', maxEntries: MAX_ITEMS },
} as const satisfies FieldTable;

export const PICKING_ITEM_FIELDS = {
  skuExternalReference: { type: 'identity', required: 'always' },
  line: { type: 'integer', min: 1 },
  outcome: { type: 'choice', required: 'always', choices: PICKING_OUTCOMES },
  substitutes: { type: 'identity' },
  quantity: { type: 'record' },
  unitPrice: { type: 'decimal', min: 0 },
  total: { type: 'decimal', min: 0 },
} as const satisfies FieldTable;

export const PICKED_QUANTITY_FIELDS = {
  value: { type: 'decimal', required: 'always', min: 0 },
  unit: { type: 'unit', required: 'always' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(REPORT_PICKING_FIELDS);
const ItemField = (): PropertyDecorator => FromTable(PICKING_ITEM_FIELDS);
const QuantityField = (): PropertyDecorator => FromTable(PICKED_QUANTITY_FIELDS);

export class PickedQuantityDto {
  @QuantityField() value!: DecimalInput;
  @QuantityField() unit!: UnitName;
}

export class PickingItemDto {
  @ItemField() skuExternalReference!: string;
  /** Where a SKU occurs twice in the order. */
  @ItemField() line?: DecimalInput | null;
  @ItemField() outcome!: PickingOutcome;
  /** The replaced SKU's reference. */
  @ItemField() substitutes?: string | null;
  @ItemField() quantity?: PickedQuantityDto | null;
  @ItemField() unitPrice?: DecimalInput | null;
  @ItemField() total?: DecimalInput | null;
}

/** PUT order, confirmed by 1300; lines left out stay as they were ordered. */
export class ReportPickingDto extends OrderCommandDto {
  /** The whole total with freight. */
  @Field() finalOrderPrice!: DecimalInput;
  @Field() items!: PickingItemDto[];
}
