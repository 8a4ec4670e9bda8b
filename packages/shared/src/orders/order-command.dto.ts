import type { Digits } from '../json/json-digits.ts';
import { COMMAND_FIELDS } from '../fields/command-fields.ts';
import { Field } from '../schemas/field.decorators.ts';

/** Fields of every order command (contract, "Order commands"). */
export class OrderCommandDto {
  @Field(COMMAND_FIELDS.commandId) commandId!: string;
  @Field(COMMAND_FIELDS.command) command!: string;
  @Field(COMMAND_FIELDS.orderNumber) orderNumber!: number | Digits | string;
  @Field(COMMAND_FIELDS.requestedAt) requestedAt?: string | null;
  @Field(COMMAND_FIELDS.requestedBy) requestedBy?: string | null;
  @Field(COMMAND_FIELDS.tenant) tenant?: string | null;
}
