import type { FieldTable } from '../fields/field-spec.ts';
import { FromTable } from './field.decorators.ts';
import { ORDER_COMMAND_FIELDS, OrderCommandDto } from './order-command.dto.ts';

/**
 * `MarkReady`, `Ship`, `ConfirmDelivery`, `ReportDeliveryFailure`, `RegisterReturn`; what they add is stored, not sent.
 */
export const STATUS_COMMAND_FIELDS = {
  ...ORDER_COMMAND_FIELDS,
  reason: { type: 'text' },
  carrier: { type: 'text' },
  tracking: { type: 'text' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(STATUS_COMMAND_FIELDS);

/** Sets a status by PATCH. */
export class StatusCommandDto extends OrderCommandDto {
  @Field() reason?: string | null;
  @Field() carrier?: string | null;
  @Field() tracking?: string | null;
}
