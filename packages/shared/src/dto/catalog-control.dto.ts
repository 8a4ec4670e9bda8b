import { Field, fieldTable } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/** What a catalog record wants done; `upsert` unless it says otherwise. */
export const CATALOG_OPS = ['upsert', 'deactivate', 'activate', 'delete'] as const;

export type CatalogOp = (typeof CATALOG_OPS)[number];

/** The control keys of a catalog record (contract, "Catalog records"). Null is the same as absent here. */
export class CatalogControlDto {
  @Field({ type: 'text', choices: CATALOG_OPS, about: 'What is to be done; `upsert` where it is left out' })
  op?: CatalogOp | null;
  @Field({
    type: 'identity',
    about:
      'An id that the ERP chooses, unique per tenant and topic: a repeat with equal content does nothing. Without it the id is `<full topic name>/<partition>/<offset>`',
  })
  recordId?: string | null;
  @Field({ type: 'version', about: 'Rises with each change in the ERP; a lower one is `invalid` `STALE_VERSION`' })
  sourceVersion?: DecimalInput | null;
  @Field({ type: 'boolean', about: 'Send although nothing changed' }) force?: boolean | null;
  @Field({ type: 'text', maxLength: 200, about: 'The load that the record belongs to' }) loadId?: string | null;
  @Field({ type: 'text', about: 'Whose record it is, where no header `ce_tenant` says it and several are configured' })
  tenant?: string | null;
}

export const CATALOG_CONTROL_FIELDS = fieldTable(CatalogControlDto);
