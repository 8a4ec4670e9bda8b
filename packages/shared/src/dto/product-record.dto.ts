import type { JsonValue } from '../json/json-digits.ts';
import { PRODUCT_FIELDS } from '../catalog/product-limits.ts';
import { FromTable } from './field.decorators.ts';
import type { DecimalInput, SkuRecordDto } from './sku-record.dto.ts';

const Field = (): PropertyDecorator => FromTable(PRODUCT_FIELDS);

/**
 * A product record without its control keys (platform document, "Product"). Absent: unchanged. Null: as the platform
 * takes null.
 */
export class ProductRecordDto {
  @Field() externalReference!: string;
  @Field() commercialPolicyId?: string;
  @Field() categoryExternalReference?: string | null;
  @Field() brandExternalReference?: string | null;
  @Field() name?: string;
  @Field() slug?: string;
  @Field() title?: string;
  @Field() shortDescription?: string;
  @Field() longDescription?: string;
  /** NCM. */
  @Field() fiscalCode?: string | null;
  @Field() ean?: string | null;
  @Field() punctuation?: DecimalInput;
  @Field() displayInSite?: boolean | null;
  @Field() displayInSoldOut?: boolean | null;
  @Field() similarTerms?: string | null;
  @Field() characteristics?: JsonValue;
  @Field() active?: boolean | null;
  /** Judged one by one, each as created or changed. */
  @Field() skus?: SkuRecordDto[];
}
