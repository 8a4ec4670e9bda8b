/** The tenant of a record (contract, "Tenants"). */
export type TenantOf =
  | { readonly ok: true; readonly tenant: string }
  | {
      readonly ok: false;
      readonly code: 'TENANT_UNKNOWN';
      readonly why: 'missing' | 'unknown' | 'differing';
      /** Known tenant in the header, else in the field, to whom the dead letter is still shown. */
      readonly named: string | undefined;
    };

/** Form of a tenant's id, which is part of keys between slashes and colons, and a folder name. */
export const TENANT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/**
 * Tenant of a record: the header `ce_tenant` before the value's field `tenant`; both are optional if only one
 * tenant is configured. A null header or field counts as absent. `TENANT_UNKNOWN` if the two differ, if no tenant
 * has that name, or if both are missing and there are several tenants.
 */
export function tenantOf(record: {
  readonly header: string | null | undefined;
  readonly field: unknown;
  readonly known: readonly string[];
}): TenantOf {
  const { header, known } = record;
  const field = record.field ?? undefined;
  const named = header ?? field;
  if (named === undefined) return known[0] !== undefined && known.length === 1 ? found(known[0]) : unknown('missing');
  if (field !== undefined && field !== named)
    return unknown('differing', known.find((id) => id === header) ?? known.find((id) => id === field));
  return typeof named === 'string' && known.includes(named) ? found(named) : unknown('unknown');
}

function found(tenant: string): TenantOf {
  return { ok: true, tenant };
}

function unknown(why: 'missing' | 'unknown' | 'differing', named?: string): TenantOf {
  return { ok: false, code: 'TENANT_UNKNOWN', why, named };
}
