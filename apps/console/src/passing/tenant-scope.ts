import { may, mayEverywhere, type Operator, type Role } from '../operators/operator.ts';

/**
 * Tenant that a call names: a text, null if it names none, or the empty text for what is of no tenant; undefined if it
 * is no single text, which an app may read in another way than the console.
 */
export type NamedTenant = string | null | undefined;

export function tenantInQuery(query: URLSearchParams): NamedTenant {
  const values = query.getAll('tenant');
  return values.length > 1 ? undefined : values[0] === '' ? null : (values[0] ?? null);
}

/** `body` is the parsed JSON. */
export function tenantInBody(body: unknown): NamedTenant {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const tenant: unknown = Object.hasOwn(body, 'tenant') ? (body as Record<string, unknown>)['tenant'] : null;
  if (tenant === '') return null;
  return typeof tenant === 'string' || tenant === null ? tenant : undefined;
}

/** Tenant of a call, null for all; `forbidden` if the operator does not have the role on it. */
export function tenantScope(
  named: string | null,
  {
    operator,
    role,
    tenants,
  }: { readonly operator: Operator; readonly role: Role; readonly tenants: readonly string[] },
): { readonly kind: 'allowed'; readonly tenant: string | null } | { readonly kind: 'forbidden' } {
  const [only, ...others] = tenants;
  const tenant = named ?? (others.length === 0 ? (only ?? null) : null);
  const isAllowed = tenant === null ? mayEverywhere(operator, role, tenants) : may(operator, role, tenant);
  return isAllowed ? { kind: 'allowed', tenant } : { kind: 'forbidden' };
}
