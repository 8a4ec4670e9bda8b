/** The tenant of a record (contract, "Tenants"). */
export type TenantOf =
  | { readonly ok: true; readonly tenant: string }
  | {
      readonly ok: false;
      readonly code: 'TENANT_UNKNOWN';
      readonly why: 'missing' | 'unknown' | 'differing';
      /** A known tenant that the header, or else the field, names all the same: whom a dead letter is shown to. */
      readonly named: string | undefined;
    };

/** The form of a tenant's id, which stands in keys between slashes and colons, and names a folder. */
export const TENANT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/**
 * The tenant of a record: header `ce_tenant` before the value's field `tenant`; with one tenant configured both may be
 * left out. A null header or field counts as left out. `TENANT_UNKNOWN` when the two differ, when none is configured by
 * that name, and when both are missing with several tenants.
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
