const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network of an address, as far as it tells whose it is: an IPv4 address itself, and of an IPv6 address the /64,
 * since every home has one. Any other text is itself.
 */
export function networkOf(address: string): string {
  const [, ipv4] = IPV4_IN_IPV6.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const host = `http://[${address.split('%', 1)[0]}]`;
  if (!URL.canParse(host)) return address;
  // The URL standard writes an address in one way, and an IPv4 address at its end as groups.
  const text = new URL(host).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : GROUPS - start.length - end.length;
  const groups = [...start, ...Array.from({ length: zeros }, () => '0'), ...end];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
