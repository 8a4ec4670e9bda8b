/** Headers of one connection (RFC 9110, 7.6.1), those that the next request sets itself, and the sender's token. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers of a delivery that a mirror receives: names and values in turn, in their order and spelling, without
 * those of the connection, `Host`, `Content-Length` and `Authorization`.
 */
export function passedHeaders(rawHeaders: readonly string[]): string[] {
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2));
  const named = pairs
    .filter(([name]) => name!.toLowerCase() === 'connection')
    .flatMap(([, value]) => value!.split(','));
  const dropped = new Set(named.map((name) => name.trim().toLowerCase()));
  return pairs.filter(([name]) => !NOT_PASSED.has(name!.toLowerCase()) && !dropped.has(name!.toLowerCase())).flat();
}
