import { CATALOG_CONTROL_FIELDS, type CatalogOp } from '../catalog/catalog-control.ts';
import { FromTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

const Field = (): PropertyDecorator => FromTable(CATALOG_CONTROL_FIELDS);

/** The control keys of a catalog record (contract, "Catalog records"). Null is the same as absent here. */
export class CatalogControlDto {
  @Field() op?: CatalogOp | null;
  @Field() recordId?: string | null;
  @Field() sourceVersion?: DecimalInput | null;
  @Field() force?: boolean | null;
  @Field() loadId?: string | null;
  @Field() tenant?: string | null;
}
