import { BRAND_FIELDS } from '../catalog/brand-fields.ts';
import { FromTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

const Field = (): PropertyDecorator => FromTable(BRAND_FIELDS);

/** A brand record without its control keys, laid over the last known one (platform document, "Brand"). */
export class BrandRecordDto {
  @Field() externalReference!: string;
  @Field() name!: string;
  @Field() title!: string;
  @Field() description!: string;
  @Field() punctuation!: DecimalInput;
  @Field() similarTerms?: string | null;
}
