import type { Digits } from '../json/json-digits.ts';
import { SKU_FIELDS } from '../catalog/product-limits.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { FromTable } from './field.decorators.ts';

const Field = (): PropertyDecorator => FromTable(SKU_FIELDS);

/** A number of the record: by value, by digits, or as decimal text. */
export type DecimalInput = number | Digits | string;

/**
 * One entry of `skus` of a product record (platform document, "SKU"). Absent: unchanged. Null: as the platform takes
 * null.
 */
export class SkuRecordDto {
  @Field() externalReference!: string;
  @Field() name?: string;
  @Field() ean?: string;
  @Field() reference?: string;
  @Field() unitOfMeasurement?: UnitName;
  @Field() weightForFreight?: DecimalInput;
  @Field() heightForFreight?: DecimalInput;
  @Field() widthForFreight?: DecimalInput;
  @Field() lengthForFreight?: DecimalInput;
  @Field() weightReal?: DecimalInput;
  @Field() heightReal?: DecimalInput;
  @Field() widthReal?: DecimalInput;
  @Field() lengthReal?: DecimalInput;
  /** A pure date. */
  @Field() arrivalDate?: string;
  @Field() manufacturerCode?: string;
  @Field() arithmeticFactor?: DecimalInput | null;
  @Field() weight?: DecimalInput | null;
  @Field() minimumWeightForSale?: DecimalInput | null;
  @Field() skuPackageMinAmount?: DecimalInput | null;
  @Field() skuPackageMaxAmount?: DecimalInput | null;
  @Field() exhibitionBadge1?: string | null;
  @Field() exhibitionBadge2?: string | null;
  @Field() exhibitionBadge3?: string | null;
}
