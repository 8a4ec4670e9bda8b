import type { FieldTable } from '../fields/field-spec.ts';
import { FromTable } from './field.decorators.ts';
import { ORDER_COMMAND_FIELDS, OrderCommandDto } from './order-command.dto.ts';

export const WITHDRAW_COMMAND_FIELDS = {
  ...ORDER_COMMAND_FIELDS,
  withdraws: { type: 'identity', required: 'always' },
} as const satisfies FieldTable;

/** Takes back a command that was not sent yet. */
export class WithdrawCommandDto extends OrderCommandDto {
  /** Its `commandId`. */
  @FromTable(WITHDRAW_COMMAND_FIELDS) withdraws!: string;
}
