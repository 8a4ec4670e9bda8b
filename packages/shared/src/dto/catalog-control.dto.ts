import { Field, fieldTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/** What a catalog record wants done; `upsert` unless it says otherwise. */
export const CATALOG_OPS = ['upsert', 'deactivate', 'activate', 'delete'] as const;

export type CatalogOp = (typeof CATALOG_OPS)[number];

/** The control keys of a catalog record (contract, "Catalog records"). Null is the same as absent here. */
export class CatalogControlDto {
  @Field({ type: 'text' }) op?: CatalogOp | null;
  @Field({ type: 'identity' }) recordId?: string | null;
  @Field({ type: 'version' }) sourceVersion?: DecimalInput | null;
  @Field({ type: 'boolean' }) force?: boolean | null;
  @Field({ type: 'text', maxLength: 200 }) loadId?: string | null;
  @Field({ type: 'text' }) tenant?: string | null;
}

export const CATALOG_CONTROL_FIELDS = fieldTable(CatalogControlDto);
