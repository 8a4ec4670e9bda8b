import { CATALOGUE_CONTROL_FIELDS, type CatalogueOp } from '../catalogue-control.ts';
import { FromTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

const Field = (): PropertyDecorator => FromTable(CATALOGUE_CONTROL_FIELDS);

/** The control keys of a catalogue record (contract, "Catalog records"). Null is the same as absent here. */
export class CatalogueControlDto {
  @Field() op?: CatalogueOp | null;
  @Field() recordId?: string | null;
  @Field() sourceVersion?: DecimalInput | null;
  @Field() force?: boolean | null;
  @Field() loadId?: string | null;
  @Field() tenant?: string | null;
}
