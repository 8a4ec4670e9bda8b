import type { FieldTable } from '../fields/field-spec.ts';
import type { Digits } from '../json/json-digits.ts';
import { FromTable } from './field.decorators.ts';

/** The fields of every order command (contract, "Order commands"). */
export const ORDER_COMMAND_FIELDS = {
  commandId: { type: 'identity', required: 'always' },
  command: { type: 'text', required: 'always' },
  orderNumber: { type: 'order-number', required: 'always' },
  requestedAt: { type: 'time' },
  requestedBy: { type: 'text' },
  tenant: { type: 'text' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(ORDER_COMMAND_FIELDS);

export class OrderCommandDto {
  @Field() commandId!: string;
  @Field() command!: string;
  /** An integer; decimal text is accepted. */
  @Field() orderNumber!: number | Digits | string;
  /** With an offset; no part of what makes two commands equal. */
  @Field() requestedAt?: string | null;
  @Field() requestedBy?: string | null;
  @Field() tenant?: string | null;
}
