import type { FastifyRequest } from 'fastify';

const LONGEST = 100;

/**
 * Address of a caller, for the pace of attempts, sessions and the log. Behind https there is a proxy, since the console
 * itself speaks no TLS, and the last entry of `X-Forwarded-For` is the one that the proxy added; the entries before it
 * are the caller's own words. At most 100 printable characters.
 */
export function callerAddress(
  { socket, headers }: Pick<FastifyRequest, 'headers' | 'socket'>,
  { isBehindProxy }: { readonly isBehindProxy: boolean },
): string {
  const last = [headers['x-forwarded-for']].flat().join(',').split(',').at(-1) ?? '';
  const named = last.replaceAll(/[^\x21-\x7e]/g, '').slice(0, LONGEST);
  return isBehindProxy && named !== '' ? named : (socket.remoteAddress ?? 'unknown');
}
