import { BlockList, isIP } from 'node:net';

/** Ranges that no platform outside of this network could reach (RFC 6890 and its kin). */
const UNREACHABLE: ReadonlyArray<readonly [network: string, bits: number, family: 'ipv4' | 'ipv6']> = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];
const LOOPBACK: typeof UNREACHABLE = [
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
];
/** Names that mean something in one network alone, or nowhere (RFC 6761, 6762, 8375). */
const LOCAL_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;

/** An IPv4 address in the clothes of IPv6: nobody means one by it. */
const MAPPED = /^::ffff:/i;

const unreachable = listOf(UNREACHABLE);
const loopback = listOf(LOOPBACK);

/** Whether a host of a URL (as `URL.hostname` gives it) can only be in this network: by its address, or by its name. Names are not looked up. */
export function isLocalHost(hostname: string): boolean {
  const host = bare(hostname);
  const family = isIP(host);
  if (family === 6 && MAPPED.test(host)) return true;
  if (family !== 0) return unreachable.check(host, family === 4 ? 'ipv4' : 'ipv6');
  return !host.includes('.') || LOCAL_NAME.test(host);
}

/** Whether a host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname);
  const family = isIP(host);
  if (family !== 0) return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
  return host === 'localhost' || host.endsWith('.localhost');
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function listOf(networks: typeof UNREACHABLE): BlockList {
  const list = new BlockList();
  for (const [network, bits, family] of networks) list.addSubnet(network, bits, family);
  return list;
}
