import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Knocking {
  /** Address of the TCP connection, never from a header. */
  readonly remoteAddress: string | undefined;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
}

/** True if a request has the token as its bearer token. */
export function showsToken(token: string, { authorization = '' }: IncomingHttpHeaders): boolean {
  const shown = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  return shown !== undefined && timingSafeEqual(digest(shown), digest(token));
}

/**
 * Headers in which proxies name their callers. They are only used as evidence against a direct call, since a caller
 * can forge them.
 */
const FORWARDING = /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.+)$/;
const FETCH_SITES_OF_NO_OTHER = new Set([undefined, 'none', 'same-origin']);

/**
 * True for a call from this machine that came neither through a proxy nor from a foreign web page: browsers send
 * `Origin` or `Sec-Fetch-Site`, DNS rebinding shows a foreign `Host`, and a proxy that adds no header by default
 * (nginx) uses HTTP/1.0. The sandbox's own page has the origin of its `Host`.
 */
export function isDirectLoopback({ remoteAddress, httpVersion, headers }: Knocking): boolean {
  const { origin, host = '' } = headers;
  if (httpVersion === '1.0' || (origin !== undefined && origin !== `http://${host}`)) return false;
  if (!FETCH_SITES_OF_NO_OTHER.has(headers['sec-fetch-site'])) return false;
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return isLoopback(remoteAddress ?? '') && (name === 'localhost' || name === '[::1]' || isLoopback(name));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
