/**
 * Policy of the page: everything from the console itself, nothing inline, and no request to another host. `data:` and
 * `blob:` are for pictures that the page makes.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const TWO_YEARS_S = 63_072_000;

/** Headers of every answer of the console. */
export function securityHeaders({ isSecure }: { readonly isSecure: boolean }): Readonly<Record<string, string>> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure && { 'strict-transport-security': `max-age=${TWO_YEARS_S}` }),
  };
}
