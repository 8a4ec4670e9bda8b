/** Headers by which a browser tells where a call comes from. */
export interface CallSource {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly fetchSite: string | undefined;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/**
 * True if the call comes from a page of the console itself. `ownOrigin` null: the console is on this machine, and its
 * address is the one that the browser names, which then is a loopback address.
 */
export function isOwnOrigin({ origin, host, fetchSite }: CallSource, ownOrigin: string | null): boolean {
  if (origin === undefined || (fetchSite !== undefined && fetchSite !== 'same-origin')) return false;
  if (ownOrigin !== null) return origin === ownOrigin;
  return host !== undefined && LOOPBACK_HOST.test(host) && origin === `http://${host}`;
}
