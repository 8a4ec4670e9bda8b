/** `act` includes `see`. */
export const ROLES = ['see', 'act'] as const;
export type Role = (typeof ROLES)[number];

export const SIGN_IN_METHODS = ['link', 'password', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
/** `token`: the command line, which has the operations token. */
export type ActorMethod = SignInMethod | 'token';

/** Who signed in, as a session stores it. Roles are not stored: those of the present configuration count. */
export interface SignedIn {
  readonly method: SignInMethod;
  /** At most 100 printable characters, as the users file or the provider has it. */
  readonly name: string;
  /** The `sub` of the provider of OpenID Connect; null for the other methods. */
  readonly subject: string | null;
  /** Groups of OpenID Connect. */
  readonly groups: readonly string[];
}

/** Role for each tenant; `*` stands for every tenant. */
export type Roles = Readonly<Record<string, Role>>;

/** Who acts, as an action stores it. */
export interface Actor {
  /** As it is shown and passed on (`shownName`). */
  readonly name: string;
  readonly method: ActorMethod;
  readonly subject: string | null;
}

export interface Operator extends Actor {
  /** Role for each tenant of the tenants file on which there is one. */
  readonly rights: ReadonlyMap<string, Role>;
}

const PROVIDER_MARK = ' (SSO)';
const MARKED = /\(sso\)\s*$/i;
/** The apps take names of at most 100 characters. */
const LONGEST_NAME = 100;

/** Name of who signed in, everywhere but in the session: one that a provider gave has a mark that no local name has. */
export function shownName({ method, name }: Pick<SignedIn, 'method' | 'name'>): string {
  if (method !== 'oidc') return name;
  return `${Array.from(name)
    .slice(0, LONGEST_NAME - PROVIDER_MARK.length)
    .join('')}${PROVIDER_MARK}`;
}

/** True for a name that looks like one that a provider gave. */
export function looksProvided(name: string): boolean {
  return MARKED.test(name.normalize('NFKC'));
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
export function may({ rights }: Pick<Operator, 'rights'>, role: Role, tenant: string): boolean {
  const right = rights.get(tenant);
  return right === 'act' || right === role;
}

/** True if the operator has the role on every tenant there is. */
export function mayEverywhere(operator: Pick<Operator, 'rights'>, role: Role, tenants: readonly string[]): boolean {
  return tenants.length > 0 && tenants.every((tenant) => may(operator, role, tenant));
}
