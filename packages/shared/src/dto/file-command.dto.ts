import type { FieldTable } from '../fields/field-spec.ts';
import { FromTable } from './field.decorators.ts';

/** The fields of every file command (contract, "File commands"). */
export const FILE_COMMAND_FIELDS = {
  commandId: { type: 'identity', required: 'always' },
  command: { type: 'text', required: 'always' },
  requestedAt: { type: 'time' },
  requestedBy: { type: 'text' },
  tenant: { type: 'text' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(FILE_COMMAND_FIELDS);

export class FileCommandDto {
  @Field() commandId!: string;
  @Field() command!: string;
  /** With an offset; no part of what makes two commands equal. */
  @Field() requestedAt?: string | null;
  @Field() requestedBy?: string | null;
  @Field() tenant?: string | null;
}
