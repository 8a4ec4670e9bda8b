import type { JsonRecord } from '../json/json-digits.ts';
import { Field, fieldTable } from './field.decorators.ts';

/**
 * A price, a warehouse or a stock without its control keys (contract, "Catalog records"; rule 30). What stands in
 * `data` is the platform's, whose document shows no field of it: it is posted as it is.
 */
export class ValueRecordDto {
  @Field({ type: 'identity', required: 'always' }) externalReference!: string;
  @Field({ type: 'identity' }) warehouse?: string | null;
  @Field({ type: 'identity' }) policy?: string | null;
  @Field({ type: 'record', required: 'always' }) data!: JsonRecord;
}

export const VALUE_FIELDS = fieldTable(ValueRecordDto);
