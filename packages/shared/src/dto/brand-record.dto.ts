import { Field, fieldTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/**
 * A brand record without its control keys, laid over the last known one (platform document, "Brand"; rule 20). It is
 * sent whole, so what is required is always required.
 */
export class BrandRecordDto {
  @Field({ type: 'identity', required: 'always', inPath: true }) externalReference!: string;
  @Field({ type: 'text', required: 'create' }) name!: string;
  @Field({ type: 'text', required: 'create' }) title!: string;
  @Field({ type: 'text', required: 'create' }) description!: string;
  @Field({ type: 'integer', required: 'create' }) punctuation!: DecimalInput;
  @Field({ type: 'text', about: 'Words that search finds it by too' }) similarTerms?: string | null;
}

export const BRAND_FIELDS = fieldTable(BrandRecordDto);
