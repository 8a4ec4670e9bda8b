import type { FieldTable } from '../fields/field-spec.ts';
import { FromTable } from './field.decorators.ts';

/** The fields of `content` and `pdf`, of which exactly one is given (contract, "File commands"). */
export const CONTENT_FIELDS = {
  uploadId: { type: 'identity' },
  url: { type: 'text', minLength: 1 },
  path: { type: 'text', minLength: 1 },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(CONTENT_FIELDS);

export class ContentDto {
  @Field() uploadId?: string | null;
  @Field() url?: string | null;
  @Field() path?: string | null;
}
