import { Resolver, lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { isPublicAddress } from '@gondola/shared/reachable-address';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { FetchError } from './fetch-error.ts';

/** Allows connections to addresses of the internet only (rule 31). */
@Injectable()
export class AddressRule {
  allows(address: string): boolean {
    return isPublicAddress(address);
  }
}

/** Looks up the addresses of a host, once for each connection. */
@Injectable()
export class HostAddresses {
  readonly #resolver: Resolver | null;

  constructor(
    private readonly rule: AddressRule,
    @Inject(CONFIG) { fetching }: { readonly fetching: Pick<Config['fetching'], 'dnsServers' | 'timeoutMs'> },
  ) {
    this.#resolver = fetching.dnsServers.length === 0 ? null : new Resolver({ timeout: fetching.timeoutMs, tries: 1 });
    this.#resolver?.setServers(fetching.dnsServers);
  }

  /**
   * `lookup` of a connection: the socket connects to the address checked here, so no second look-up can return
   * another one. A single forbidden address refuses the host.
   */
  readonly lookup: LookupFunction = (hostname, { all }, callback) =>
    callbackify((name: string) => this.#checked(name))(hostname, (error, addresses) => {
      if (error !== null) callback(error, []);
      else if (all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });

  async #checked(hostname: string): Promise<{ address: string; family: number }[]> {
    const addresses = await this.#of(hostname);
    if (addresses.length === 0) throw new FetchError('unreachable');
    if (!addresses.every((address) => this.rule.allows(address))) throw new FetchError('address-not-allowed');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  async #of(hostname: string): Promise<string[]> {
    if (this.#resolver === null) return (await lookUp(hostname, { all: true })).map(({ address }) => address);
    const answers = await Promise.allSettled([this.#resolver.resolve4(hostname), this.#resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
