import type { JsonRecord } from '../json/json-digits.ts';
import { Field, fieldTable } from '../schemas/field.decorators.ts';

/**
 * A price, a warehouse or a stock without its control keys (contract, "Catalog records"; rule 30). The platform's
 * document shows no field of `data`, so it is posted unchanged.
 */
export class ValueRecordDto {
  @Field({ type: 'identity', required: 'always', about: 'Reference of the SKU; for a warehouse, its own reference' })
  externalReference!: string;
  @Field({ type: 'identity' }) warehouse?: string | null;
  @Field({ type: 'identity' }) policy?: string | null;
  @Field({
    type: 'record',
    required: 'always',
    about: 'Posted unchanged, except for fields that the wire profile adds',
  })
  data!: JsonRecord;
}

export const VALUE_FIELDS = fieldTable(ValueRecordDto);
