import { BlockList, isIP } from 'node:net';

/** IPv4 networks that do not belong to the internet (IANA's registry of special-purpose addresses, RFC 6890). */
const SPECIAL_IPV4 = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
);
/**
 * IPv6 networks that do not belong to the internet: everything except the assigned unicast addresses, and of these
 * the reserved ones and those that lead to an IPv4 address (Teredo, 6to4).
 */
const SPECIAL_IPV6 = networks('::/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '4000::/2', '8000::/1');
/** Networks of a machine, a site or a cluster; not those of links (169.254.0.0/16, fe80::/10), which have metadata. */
const LOCAL_IPV4 = networks('10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16');
const LOCAL_IPV6 = networks('::1/128', 'fc00::/7');
/** Addresses in `LOCAL_IPV6` at which clouds answer machines with their credentials. */
const METADATA_IPV6 = networks('fd00:ec2::/32', 'fd20:ce::/32');
const LOOPBACK_IPV4 = networks('127.0.0.0/8');
const LOOPBACK_IPV6 = networks('::1/128');
/** Names that have a meaning only in a local network, or none (RFC 6761, 6762, 8375). */
const LOCAL_NAME = /(^|\.)(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;
const LOOPBACK_NAME = /(^|\.)localhost$/;
/** Reach of a host by its text: itself, its own network, or the internet. */
export type Reach = 'machine' | 'network' | 'internet';

/**
 * Where the host of a URL (from `URL.hostname`) can be reached from, judging by its address or name. Names are not
 * resolved. Pure.
 */
export function reachOf(hostname: string): Reach {
  const host = bare(hostname);
  if (isIP(host) !== 0)
    return isIn(LOOPBACK_IPV4, LOOPBACK_IPV6, host) ? 'machine' : isPublicAddress(host) ? 'internet' : 'network';
  if (LOOPBACK_NAME.test(host)) return 'machine';
  return !host.includes('.') || LOCAL_NAME.test(host) ? 'network' : 'internet';
}

/**
 * True for an address (IPv4 or IPv6, without brackets) of the internet: neither private, loopback, link-local,
 * multicast nor reserved, nor another notation of such an address. False for any other text.
 */
export function isPublicAddress(address: string): boolean {
  // A zone marks an address of a single link.
  if (address.includes('%') || isIP(address) === 0) return false;
  return !isIn(SPECIAL_IPV4, SPECIAL_IPV6, address);
}

/** True for the text of an address, and not for a name. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** True for an address of this machine or of a private network, except one that answers with a cloud's metadata. */
export function isLocalAddress(address: string): boolean {
  if (address.includes('%') || isIP(address) === 0) return false;
  return isIn(LOCAL_IPV4, LOCAL_IPV6, address) && !(isIP(address) === 6 && METADATA_IPV6.check(address, 'ipv6'));
}

/** Each version has its own list, since a list also compares IPv4 addresses with IPv6 networks. */
function isIn(ipv4: BlockList, ipv6: BlockList, address: string): boolean {
  return isIP(address) === 4 ? ipv4.check(address, 'ipv4') : ipv6.check(address, 'ipv6');
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function networks(...ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [base = '', bits] = range.split('/');
    list.addSubnet(base, Number(bits), base.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
