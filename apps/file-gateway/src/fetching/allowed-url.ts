import { reachOf } from '@gondola/shared/reachable-address';

/** Why content is not taken from where a command says; each has its sentence in `fetch-texts`. */
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
  | 'too-large'
  | 'quota-full';

export type JudgedUrl =
  | { readonly kind: 'allowed'; readonly url: URL }
  | { readonly kind: 'refused'; readonly why: FetchRefusal };

/**
 * Whether content may be fetched from an address, as far as its text says (rule 31): https, without user or password,
 * from a host that the tenant allows, and that is neither an address nor a name of this machine or its network. What a
 * name resolves to is checked when the connection is made.
 *
 * @param allowedHosts `cdn.example.com`, `*.example.com` (any name below it), or an origin with its own port or without
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
