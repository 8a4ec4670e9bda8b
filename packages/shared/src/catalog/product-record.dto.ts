import { MAX_SKUS } from '../limits.ts';
import type { JsonValue } from '../json/json-digits.ts';
import { Field, fieldTable } from '../schemas/field.decorators.ts';
import { type DecimalInput, REFERENCE, SkuRecordDto } from './sku-record.dto.ts';

/**
 * A product record without its control keys (platform document, "Product" and "Limits"; rule 20). "Required"
 * applies on creation. An absent field stays unchanged; null has the platform's meaning.
 */
export class ProductRecordDto {
  @Field(REFERENCE) externalReference!: string;
  @Field({ type: 'guid', required: 'create', tenantNames: 'catalog.commercialPolicies' }) commercialPolicyId?: string;
  @Field({ type: 'text', maxLength: 30 }) categoryExternalReference?: string | null;
  @Field({ type: 'text', maxLength: 30 }) brandExternalReference?: string | null;
  @Field({ type: 'text', required: 'create', minLength: 5, maxLength: 400 }) name?: string;
  @Field({ type: 'text', required: 'create', maxLength: 400 }) slug?: string;
  @Field({ type: 'text', required: 'create', minLength: 3, maxLength: 400 }) title?: string;
  @Field({ type: 'text', required: 'create', minLength: 3, maxLength: 500 }) shortDescription?: string;
  @Field({ type: 'text', required: 'create', minLength: 3 }) longDescription?: string;
  @Field({ type: 'text', about: 'NCM, eight digits' }) fiscalCode?: string | null;
  @Field({ type: 'text', maxLength: 48 }) ean?: string | null;
  @Field({ type: 'integer', required: 'create', min: 0 }) punctuation?: DecimalInput;
  @Field({ type: 'boolean' }) displayInSite?: boolean | null;
  @Field({ type: 'boolean' }) displayInSoldOut?: boolean | null;
  @Field({ type: 'text' }) similarTerms?: string | null;
  @Field({ type: 'any' }) characteristics?: JsonValue;
  @Field({ type: 'boolean' }) active?: boolean | null;
  @Field({
    type: 'list',
    maxEntries: MAX_SKUS,
    of: () => SkuRecordDto,
    about: 'Each SKU is created or changed; absent SKUs stay unchanged',
  })
  skus?: SkuRecordDto[];
}

export const PRODUCT_FIELDS = fieldTable(ProductRecordDto);
