import type { FieldTable } from '../fields/field-spec.ts';
import { FromTable } from './field.decorators.ts';
import { ORDER_COMMAND_FIELDS, OrderCommandDto } from './order-command.dto.ts';

export const CANCEL_ORDER_FIELDS = {
  ...ORDER_COMMAND_FIELDS,
  reason: { type: 'text', required: 'always' },
} as const satisfies FieldTable;

/** POST cancel; progress at 750, applied at 800. */
export class CancelOrderDto extends OrderCommandDto {
  @FromTable(CANCEL_ORDER_FIELDS) reason!: string;
}
