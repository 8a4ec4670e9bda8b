import type { FieldTable } from '../fields/field-spec.ts';
import { MAX_CATEGORIES } from '../limits.ts';

/**
 * The fields of a category record (platform document, "Category"; rule 20). Which of them are required is not shown
 * there.
 */
export const CATEGORY_FIELDS = {
  externalReference: { type: 'identity', required: 'always', inPath: true },
  parentExternalReference: { type: 'identity' },
  name: { type: 'text' },
  title: { type: 'text' },
  description: { type: 'text' },
  isCategoryDepartmentToo: { type: 'boolean' },
  showInStoreFront: { type: 'boolean' },
  activeStoreFrontLink: { type: 'boolean' },
  position: { type: 'integer' },
  children: { type: 'list', maxEntries: MAX_CATEGORIES },
} as const satisfies FieldTable;
