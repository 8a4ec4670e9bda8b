/**
 * Address of a caller, for the pace of attempts. Behind https there is a proxy, since the console itself speaks no
 * TLS, and the last entry of `X-Forwarded-For` is the one that the proxy added; the entries before it are the
 * caller's own words.
 */
export function callerAddress(
  { socket, forwarded }: { readonly socket: string | undefined; readonly forwarded: string | string[] | undefined },
  { isBehindProxy }: { readonly isBehindProxy: boolean },
): string {
  const last = [forwarded].flat().join(',').split(',').at(-1)?.trim() ?? '';
  return isBehindProxy && last !== '' ? last : (socket ?? 'unknown');
}
