/** Random values of one sign-in by OpenID Connect, which the browser holds until the provider sends it back. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const COOKIE = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/;

export function cookieOf({ state, nonce, codeVerifier }: OidcAttempt): string {
  return [state, nonce, codeVerifier].join('.');
}

/** Null for a text that is no such cookie. */
export function attemptOf(cookie: string | undefined): OidcAttempt | null {
  const [, state, nonce, codeVerifier] = COOKIE.exec(cookie ?? '') ?? [];
  return state === undefined || nonce === undefined || codeVerifier === undefined
    ? null
    : { state, nonce, codeVerifier };
}

const MAX_GROUPS = 500;

/** Groups of a claim: a list of texts, or one text. Anything else is no group. */
export function groupsIn(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.filter((group): group is string => typeof group === 'string' && group !== '').slice(0, MAX_GROUPS);
}

/** OpenID Connect allows 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The provider's own name of somebody, which nobody else ever gets; null without one. */
export function subjectIn({ sub }: Readonly<Record<string, unknown>>): string | null {
  return typeof sub === 'string' && SUBJECT.test(sub) ? sub : null;
}

/** The first of these claims that is a text. */
export function nameIn(claims: Readonly<Record<string, unknown>>): string {
  const texts = ['preferred_username', 'email', 'sub'].map((name) => claims[name]);
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}
