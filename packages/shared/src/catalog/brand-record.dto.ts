import { Field, fieldTable } from '../schemas/field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/**
 * A brand record without its control keys, laid over the last known one (platform document, "Brand"; rule 20). It
 * is sent whole, so required fields are required in every case.
 */
export class BrandRecordDto {
  @Field({ type: 'identity', required: 'always', inPath: true }) externalReference!: string;
  @Field({ type: 'text', required: 'create' }) name!: string;
  @Field({ type: 'text', required: 'create' }) title!: string;
  @Field({ type: 'text', required: 'create' }) description!: string;
  @Field({ type: 'integer', required: 'create' }) punctuation!: DecimalInput;
  @Field({ type: 'text', about: 'Additional words for the search' }) similarTerms?: string | null;
}

export const BRAND_FIELDS = fieldTable(BrandRecordDto);
