import { createHash, timingSafeEqual } from 'node:crypto';
import type { Store, Table } from '../store/store.service.ts';
import { BadInput } from '../values/bad-input.ts';

/** Shop of a merchant: the ids of its only seller and its only shipping policy. */
export interface Shop {
  readonly sellerId: string;
  readonly shippingPolicyId: string;
  readonly deliveryId: string;
  readonly paymentMethodId: string;
  readonly providerMethodId: string;
}

export interface TenantCredentials {
  readonly contractAccountId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

export interface Tenant {
  readonly contractAccountId: string;
  readonly shop: Shop;
}

export interface TenantRow extends Tenant {
  readonly seq: number;
  readonly username: string;
  readonly passwordDigest: string;
  readonly apiKeyDigest: string;
}

/** Merchants and digests of their credentials. GUIDs match regardless of case, and are stored as registered. */
export class Tenants {
  /** By the GUID in lower case. */
  readonly table: Table<string, TenantRow>;

  constructor(private readonly store: Store) {
    this.table = store.table('tenants');
  }

  /** Adds a merchant, or replaces an existing merchant's credentials; its shop stays. */
  save({ contractAccountId, username, password, apiKey }: TenantCredentials, newGuid: () => string): void {
    const credentials = { username, passwordDigest: digest(password), apiKeyDigest: digest(apiKey) };
    const known = this.find(contractAccountId);
    const shop = {
      sellerId: newGuid(),
      shippingPolicyId: newGuid(),
      deliveryId: newGuid(),
      paymentMethodId: newGuid(),
      providerMethodId: newGuid(),
    };
    this.store.unit(() => {
      const added = known ?? { seq: this.store.next('tenants'), contractAccountId, shop };
      this.table.put(contractAccountId.toLowerCase(), { ...added, ...credentials });
    });
  }

  find(contractAccountId: string): TenantRow | undefined {
    return this.table.get(contractAccountId.toLowerCase());
  }

  all(): TenantRow[] {
    return [...this.table.values()].toSorted((a, b) => (a.contractAccountId < b.contractAccountId ? -1 : 1));
  }

  /** Merchant of `contractAccountId`; without one, the only merchant. Throws `BadInput`. */
  chosen(contractAccountId: string | undefined): TenantRow {
    if (contractAccountId !== undefined) {
      const found = this.find(contractAccountId);
      if (found === undefined) throw new BadInput('TENANT', 'There is no tenant with this contractAccountId');
      return found;
    }
    const [tenant, ...others] = this.table.values();
    if (others.length > 0) {
      throw new BadInput('TENANT', 'There are several tenants: contractAccountId must name one');
    }
    if (tenant === undefined) throw new BadInput('TENANT', 'There is no tenant yet');
    return tenant;
  }

  /** The merchant, if the credentials are valid. */
  authenticate({ contractAccountId, username, password }: Omit<TenantCredentials, 'apiKey'>): TenantRow | undefined {
    const tenant = this.find(contractAccountId);
    if (tenant === undefined || tenant.username !== username) return undefined;
    return isSame(tenant.passwordDigest, digest(password)) ? tenant : undefined;
  }

  /** Merchants with this core API key, which is the only credential of a core route. */
  withApiKey(apiKey: string): TenantRow[] {
    const shown = digest(apiKey);
    return [...this.table.values()].filter(({ apiKeyDigest }) => isSame(apiKeyDigest, shown));
  }
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
