/** `act` includes `see`. */
export const ROLES = ['see', 'act'] as const;
export type Role = (typeof ROLES)[number];

export const SIGN_IN_METHODS = ['link', 'password', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Who signed in, as a session stores it. Roles are not stored: those of the present configuration count. */
export interface SignedIn {
  readonly method: SignInMethod;
  /** At most 100 printable characters. */
  readonly name: string;
  /** Groups of OpenID Connect. */
  readonly groups: readonly string[];
}

/** Role for each tenant; `*` stands for every tenant. */
export type Roles = Readonly<Record<string, Role>>;

export interface Operator {
  readonly name: string;
  /** Role for each tenant of the tenants file on which there is one. */
  readonly rights: ReadonlyMap<string, Role>;
}

/** Rights on tenants by several sets of roles, of which the highest counts. */
export function rightsBy(roles: readonly Roles[], tenants: readonly string[]): ReadonlyMap<string, Role> {
  const rights = new Map<string, Role>();
  for (const tenant of tenants) {
    const given = roles.flatMap((each) => [each[tenant], each['*']]);
    if (given.includes('act')) rights.set(tenant, 'act');
    else if (given.includes('see')) rights.set(tenant, 'see');
  }
  return rights;
}

/** True if the operator has the role on the tenant. */
export function may({ rights }: Operator, role: Role, tenant: string): boolean {
  const right = rights.get(tenant);
  return right === 'act' || right === role;
}

/** True if the operator has the role on every tenant there is. */
export function mayEverywhere(operator: Operator, role: Role, tenants: readonly string[]): boolean {
  return tenants.length > 0 && tenants.every((tenant) => may(operator, role, tenant));
}
