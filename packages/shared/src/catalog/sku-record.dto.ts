import type { Digits } from '../json/json-digits.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { Field, type FieldSpec, fieldTable } from '../schemas/field.decorators.ts';

export const REFERENCE = {
  type: 'text',
  required: 'always',
  minLength: 1,
  maxLength: 60,
  inPath: true,
} as const satisfies FieldSpec;
const REQUIRED_MEASURE = { type: 'decimal', required: 'create', above: 0 } as const satisfies FieldSpec;
const MEASURE = { type: 'decimal', above: 0 } as const satisfies FieldSpec;
const BADGE = { type: 'text', maxLength: 15 } as const satisfies FieldSpec;

/** A number in a record: as value, as digits, or as decimal text. */
export type DecimalInput = number | Digits | string;

/**
 * One entry of `skus` of a product record (platform document, "SKU" and "Limits"; rule 20). "Required" applies on
 * creation of the SKU. An absent field stays unchanged; null has the platform's meaning.
 */
export class SkuRecordDto {
  @Field(REFERENCE) externalReference!: string;
  @Field({ type: 'text', required: 'create', maxLength: 400 }) name?: string;
  @Field({ type: 'text', required: 'create', maxLength: 30 }) ean?: string;
  @Field({ type: 'text', required: 'create', maxLength: 100 }) reference?: string;
  @Field({ type: 'unit', required: 'create', tenantNames: 'catalog.units' }) unitOfMeasurement?: UnitName;
  @Field(REQUIRED_MEASURE) weightForFreight?: DecimalInput;
  @Field(REQUIRED_MEASURE) heightForFreight?: DecimalInput;
  @Field(REQUIRED_MEASURE) widthForFreight?: DecimalInput;
  @Field(REQUIRED_MEASURE) lengthForFreight?: DecimalInput;
  @Field(REQUIRED_MEASURE) weightReal?: DecimalInput;
  @Field(REQUIRED_MEASURE) heightReal?: DecimalInput;
  @Field(REQUIRED_MEASURE) widthReal?: DecimalInput;
  @Field(REQUIRED_MEASURE) lengthReal?: DecimalInput;
  @Field({ type: 'date', required: 'create' }) arrivalDate?: string;
  @Field({ type: 'text', required: 'create', maxLength: 50 }) manufacturerCode?: string;
  @Field({ type: 'decimal', about: 'Sale step of goods sold by weight: 0.1 with Kg is 100 g' })
  arithmeticFactor?: DecimalInput | null;
  @Field(MEASURE) weight?: DecimalInput | null;
  @Field(MEASURE) minimumWeightForSale?: DecimalInput | null;
  @Field(MEASURE) skuPackageMinAmount?: DecimalInput | null;
  @Field(MEASURE) skuPackageMaxAmount?: DecimalInput | null;
  @Field(BADGE) exhibitionBadge1?: string | null;
  @Field(BADGE) exhibitionBadge2?: string | null;
  @Field(BADGE) exhibitionBadge3?: string | null;
}

export const SKU_FIELDS = fieldTable(SkuRecordDto);
