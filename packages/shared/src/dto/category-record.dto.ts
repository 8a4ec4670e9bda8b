import { CATEGORY_FIELDS } from '../catalog/category-fields.ts';
import { FromTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

const Field = (): PropertyDecorator => FromTable(CATEGORY_FIELDS);

/** A category record without its control keys, laid over the last known one (platform document, "Category"). */
export class CategoryRecordDto {
  @Field() externalReference!: string;
  /** Null or absent: at the root. Not needed inside `children`. */
  @Field() parentExternalReference?: string | null;
  @Field() name?: string | null;
  @Field() title?: string | null;
  @Field() description?: string | null;
  @Field() isCategoryDepartmentToo?: boolean | null;
  @Field() showInStoreFront?: boolean | null;
  @Field() activeStoreFrontLink?: boolean | null;
  @Field() position?: DecimalInput | null;
  @Field() children?: CategoryRecordDto[];
}
