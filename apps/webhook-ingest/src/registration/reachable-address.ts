import { BlockList, isIP } from 'node:net';

/** Networks that no platform outside of this one could reach (RFC 6890 and its kin). */
const UNREACHABLE = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
);
const LOOPBACK = networks('127.0.0.0/8', '::1/128');
/** Names that mean something in one network alone, or nowhere (RFC 6761, 6762, 8375). */
const LOCAL_NAME = /(^|\.)(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;
const LOOPBACK_NAME = /(^|\.)localhost$/;
/** IPv4 in the clothes of IPv6: nobody means one by it, and a `BlockList` takes it for the IPv4 address. */
const IPV4_MAPPED = /^::ffff:/;

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
  if (IPV4_MAPPED.test(host)) return 'network';
  const version = isIP(host);
  const isIn = (list: BlockList): boolean => version !== 0 && list.check(host, version === 4 ? 'ipv4' : 'ipv6');
  if (isIn(LOOPBACK) || LOOPBACK_NAME.test(host)) return 'machine';
  if (version !== 0) return isIn(UNREACHABLE) ? 'network' : 'internet';
  return !host.includes('.') || LOCAL_NAME.test(host) ? 'network' : 'internet';
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
