import { filePath, type StoredFile } from '../files/stored-file.ts';
import type { Storefront } from '../orders/order.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenant } from '../tenants/tenants.service.ts';

/** Merchants' shops, and the address of the sandbox's files. */
export class Storefronts {
  constructor(
    private readonly switches: SwitchBoard,
    /** Without a trailing slash. */
    private readonly baseUrl: () => string,
  ) {}

  of({ shop }: Pick<Tenant, 'shop'>): Storefront {
    const { registrationField, fractionOfCent } = this.switches.behaviour;
    return { ...shop, baseUrl: this.baseUrl(), registrationField, fractionOfCent };
  }

  urlOf(file: Pick<StoredFile, 'id' | 'fileName'>): string {
    return `${this.baseUrl()}${filePath(file)}`;
  }
}
