import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { checkedLookup, systemAddresses } from '@gondola/service-kit/http/checked-lookup.adapter';
import { isPublicAddress } from '@gondola/shared/reachable-address';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';

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
  /** `lookup` of a connection, which refuses forbidden addresses. */
  readonly lookup: LookupFunction;

  constructor(
    rule: AddressRule,
    @Inject(CONFIG) { fetching }: { readonly fetching: Pick<Config['fetching'], 'dnsServers' | 'timeoutMs'> },
  ) {
    this.#resolver = fetching.dnsServers.length === 0 ? null : new Resolver({ timeout: fetching.timeoutMs, tries: 1 });
    this.#resolver?.setServers(fetching.dnsServers);
    this.lookup = checkedLookup(
      (address) => rule.allows(address),
      (hostname) => this.#of(hostname),
    );
  }

  async #of(hostname: string): Promise<string[]> {
    if (this.#resolver === null) return systemAddresses(hostname);
    const answers = await Promise.allSettled([this.#resolver.resolve4(hostname), this.#resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
