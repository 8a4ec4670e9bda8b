import { Field, fieldTable } from '../schemas/field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/** Operations of a catalog record; default `upsert`. */
export const CATALOG_OPS = ['upsert', 'deactivate', 'activate', 'delete'] as const;

export type CatalogOp = (typeof CATALOG_OPS)[number];

/** Control keys of a catalog record (contract, "Catalog records"). Null counts as absent here. */
export class CatalogControlDto {
  @Field({ type: 'text', choices: CATALOG_OPS, about: 'Operation; default `upsert`' })
  op?: CatalogOp | null;
  @Field({
    type: 'identity',
    about:
      'An id that the ERP chooses, unique per tenant and topic: a repeat with equal content does nothing. Without it the id is `<full topic name>/<partition>/<offset>`',
  })
  recordId?: string | null;
  @Field({ type: 'version', about: 'Rises with each change in the ERP; a lower one is `invalid` `STALE_VERSION`' })
  sourceVersion?: DecimalInput | null;
  @Field({ type: 'boolean', about: 'True: send the record even if nothing changed' }) force?: boolean | null;
  @Field({ type: 'text', maxLength: 200, about: 'The load that the record belongs to' }) loadId?: string | null;
  @Field({
    type: 'text',
    about: 'Tenant of the record; required if there are several tenants and no header `ce_tenant`',
  })
  tenant?: string | null;
}

export const CATALOG_CONTROL_FIELDS = fieldTable(CatalogControlDto);
