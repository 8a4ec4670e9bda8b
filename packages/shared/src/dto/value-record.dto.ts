import type { JsonRecord } from '../json/json-digits.ts';
import { Field, fieldTable } from './field.decorators.ts';

/**
 * A price, a warehouse or a stock without its control keys (contract, "Catalog records"; rule 30). What stands in
 * `data` is the platform's, whose document shows no field of it: it is posted as it is.
 */
export class ValueRecordDto {
  @Field({ type: 'identity', required: 'always', about: 'Of the SKU; of a warehouse its own' })
  externalReference!: string;
  @Field({ type: 'identity' }) warehouse?: string | null;
  @Field({ type: 'identity' }) policy?: string | null;
  @Field({ type: 'record', required: 'always', about: 'Posted as it is, but for fields that the wire profile fills' })
  data!: JsonRecord;
}

export const VALUE_FIELDS = fieldTable(ValueRecordDto);
