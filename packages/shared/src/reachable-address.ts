import { BlockList, isIP } from 'node:net';

/** Networks of IPv4 that are not the internet (IANA's registry of special-purpose addresses, RFC 6890). */
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
 * The same of IPv6: all but the unicast addresses that are given out, and of these what leads to an address of IPv4
 * (Teredo, 6to4) or is reserved.
 */
const SPECIAL_IPV6 = networks('::/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '4000::/2', '8000::/1');
const LOOPBACK_IPV4 = networks('127.0.0.0/8');
const LOOPBACK_IPV6 = networks('::1/128');
/** Names that mean something in one network alone, or nowhere (RFC 6761, 6762, 8375). */
const LOCAL_NAME = /(^|\.)(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;
const LOOPBACK_NAME = /(^|\.)localhost$/;
/**
 * From where a host can be reached: from itself alone, from its own network, or from the internet, as far as its text
 * says.
 */
export type Reach = 'machine' | 'network' | 'internet';

/**
 * Where a host of a URL (as `URL.hostname` gives it) can be reached from, by its address or by its name. Names are not
 * looked up. Pure.
 */
export function reachOf(hostname: string): Reach {
  const host = bare(hostname);
  if (isIP(host) !== 0)
    return isIn(LOOPBACK_IPV4, LOOPBACK_IPV6, host) ? 'machine' : isPublicAddress(host) ? 'internet' : 'network';
  if (LOOPBACK_NAME.test(host)) return 'machine';
  return !host.includes('.') || LOCAL_NAME.test(host) ? 'network' : 'internet';
}

/**
 * Whether an address (IPv4 or IPv6, without brackets) is one of the internet: neither private, loopback, link-local,
 * multicast nor reserved, and no other notation of such a one. False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  // A zone says that it is of one link.
  if (address.includes('%') || isIP(address) === 0) return false;
  return !isIn(SPECIAL_IPV4, SPECIAL_IPV6, address);
}

/** A list compares an IPv4 address with networks of IPv6 too, which is why each version has its own. */
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
