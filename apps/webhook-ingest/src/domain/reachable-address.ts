/** An address as a number of so many bits. */
interface Address {
  readonly value: bigint;
  readonly width: 32 | 128;
}

/** Networks that no platform outside of this one could reach (RFC 6890 and its kin). */
const UNREACHABLE = [
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
  // IPv4 in the clothes of IPv6: nobody means one by it.
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Names that mean something in one network alone, or nowhere (RFC 6761, 6762, 8375). */
const LOCAL_NAME = /(^|\.)(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;
const LOOPBACK_NAME = /(^|\.)localhost$/;
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const GROUPS = 8;

/**
 * From where a host can be reached: from itself alone, from its own network, or from the internet, as far as its text
 * tells.
 */
export type Reach = 'machine' | 'network' | 'internet';

/**
 * Where a host of a URL (as `URL.hostname` gives it) can be reached from, by its address or by its name. Names are not
 * looked up. Pure.
 */
export function reachOf(hostname: string): Reach {
  const host = bare(hostname);
  const address = addressOf(host);
  const isIn = (networks: readonly string[]) => address !== null && networks.some((each) => contains(each, address));
  if (isIn(LOOPBACK) || LOOPBACK_NAME.test(host)) return 'machine';
  if (address !== null) return isIn(UNREACHABLE) ? 'network' : 'internet';
  return !host.includes('.') || LOCAL_NAME.test(host) ? 'network' : 'internet';
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function contains(network: string, { value, width }: Address): boolean {
  const [base = '', bits] = network.split('/');
  const start = addressOf(base);
  if (start?.width !== width) return false;
  const rest = BigInt(width - Number(bits));
  return value >> rest === start.value >> rest;
}

/** A URL's parser has brought all forms of an address into these two: four numbers, or groups of hex digits. */
function addressOf(host: string): Address | null {
  if (IPV4.test(host)) return { value: numberOf(host.split('.'), 10, 8n), width: 32 };
  if (!host.includes(':')) return null;
  const [head = '', tail] = host.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => '0');
  return { value: numberOf([...first, ...zeros, ...last], 16, 16n), width: 128 };
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function numberOf(digits: readonly string[], radix: number, bits: bigint): bigint {
  return digits.reduce((sum, digit) => (sum << bits) | BigInt(Number.parseInt(digit, radix)), 0n);
}
