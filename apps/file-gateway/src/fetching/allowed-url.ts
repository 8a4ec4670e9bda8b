import { reachOf } from '@gondola/shared/reachable-address';

/** Reasons for refusing content by URL or path; `fetch-texts` has a sentence for each. */
export type FetchRefusal =
  | 'url-malformed'
  | 'url-not-https'
  | 'url-user-info'
  | 'host-not-allowed'
  | 'address-not-allowed'
  | 'too-many-redirects'
  | 'encoded'
  | 'no-root'
  | 'path-outside'
  | 'not-there'
  | 'unreachable'
  | 'too-large';

export type JudgedUrl =
  | { readonly kind: 'allowed'; readonly url: URL }
  | { readonly kind: 'refused'; readonly why: FetchRefusal };

/**
 * Decides by its text whether content may be fetched from a URL (rule 31): https, no user or password, a host that
 * the tenant allows and that is neither an IP address nor a name of this machine or its network. The addresses of
 * the name are checked when the connection is made.
 *
 * @param allowedHosts `cdn.example.com`, `*.example.com` (any subdomain), or an origin with its own port or without
 * TLS: `https://cdn.example.com:8443`, `http://cdn.example.com`
 */
export function judgeUrl(text: string, allowedHosts: readonly string[]): JudgedUrl {
  if (!URL.canParse(text)) return refused('url-malformed');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('url-not-https');
  if (url.username !== '' || url.password !== '') return refused('url-user-info');
  if (reachOf(url.hostname) !== 'internet') return refused('address-not-allowed');
  if (allowedHosts.some((allowed) => isOrigin(url, allowed))) return { kind: 'allowed', url };
  if (url.protocol === 'http:') return refused('url-not-https');
  const isNamed = url.port === '' && allowedHosts.some((allowed) => isHost(url.hostname, allowed.toLowerCase()));
  return isNamed ? { kind: 'allowed', url } : refused('host-not-allowed');
}

function isOrigin(url: URL, allowed: string): boolean {
  return URL.canParse(allowed) && new URL(allowed).origin === url.origin;
}

function isHost(hostname: string, allowed: string): boolean {
  const host = hostname.replace(/\.$/, '');
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}

function refused(why: FetchRefusal): JudgedUrl {
  return { kind: 'refused', why };
}
