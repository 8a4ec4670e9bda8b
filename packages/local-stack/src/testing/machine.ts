import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** True on a machine with the loopback address of IPv6. */
export const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
/** True on a machine with the program `openssl`. */
export const HAS_OPENSSL = spawnSync('openssl', ['version']).error === undefined;
