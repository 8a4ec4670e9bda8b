import { MAX_CATEGORIES } from '../limits.ts';
import { Field, fieldTable } from '../schemas/field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/**
 * A category record without its control keys, laid over the last known one (platform document, "Category"; rule
 * 20). The document does not show which fields are required.
 */
export class CategoryRecordDto {
  @Field({ type: 'identity', required: 'always', inPath: true }) externalReference!: string;
  @Field({ type: 'identity', about: 'Null or absent: a root category. Not required inside `children`' })
  parentExternalReference?: string | null;
  @Field({ type: 'text' }) name?: string | null;
  @Field({ type: 'text' }) title?: string | null;
  @Field({ type: 'text' }) description?: string | null;
  @Field({ type: 'boolean' }) isCategoryDepartmentToo?: boolean | null;
  @Field({ type: 'boolean' }) showInStoreFront?: boolean | null;
  @Field({ type: 'boolean' }) activeStoreFrontLink?: boolean | null;
  @Field({ type: 'integer' }) position?: DecimalInput | null;
  @Field({ type: 'list', maxEntries: MAX_CATEGORIES, of: () => CategoryRecordDto, about: 'A whole tree as one record' })
  children?: CategoryRecordDto[];
}

export const CATEGORY_FIELDS = fieldTable(CategoryRecordDto);
