import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/** A host has no address (`unknown`), or one that may not be connected to (`forbidden`). */
export class HostAddressError extends Error {
  readonly code: 'unknown' | 'forbidden';
  constructor(code: HostAddressError['code']) {
    super(`The address of a host cannot be used: ${code}`);
    this.name = 'HostAddressError';
    this.code = code;
  }
}

/** The addresses of a host by the system's resolver. */
export async function systemAddresses(hostname: string): Promise<string[]> {
  return (await lookUp(hostname, { all: true })).map(({ address }) => address);
}

/**
 * `lookup` of a connection: the socket connects to the address checked here, so no second look-up can return another
 * one. A single forbidden address refuses the host, with `HostAddressError`. A host that is an address itself is
 * never looked up, so its text is judged before. Tested in file-gateway's url-content.adapter.int.spec.ts.
 */
export function checkedLookup(
  allows: (address: string) => boolean,
  addressesOf: (hostname: string) => Promise<string[]> = systemAddresses,
): LookupFunction {
  const checked = async (hostname: string): Promise<{ address: string; family: number }[]> => {
    const addresses = await addressesOf(hostname);
    if (addresses.length === 0) throw new HostAddressError('unknown');
    if (!addresses.every(allows)) throw new HostAddressError('forbidden');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return (hostname, { all }, callback) =>
    callbackify(checked)(hostname, (error, addresses) => {
      if (error !== null) callback(error, []);
      else if (all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}
