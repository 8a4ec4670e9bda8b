import { createHash, timingSafeEqual } from 'node:crypto';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { Raw, type FindOperator, type Repository } from 'typeorm';
import type { Shop } from '../orders/order.ts';
import { TenantEntity } from './tenant.entity.ts';

export interface TenantCredentials {
  readonly contractAccountId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

export type Tenant = Pick<TenantEntity, 'contractAccountId' | 'shop'>;

/**
 * Merchants and digests of their credentials. GUIDs match regardless of case. Found merchants are cached in memory,
 * because every call reads one and only this process changes them.
 */
@Injectable()
export class TenantsRepository {
  private known = new Map<string, TenantEntity>();

  constructor(private readonly database: Database) {}

  /** Adds a merchant, or replaces an existing merchant's credentials; its shop stays. */
  async save({ contractAccountId, username, password, apiKey }: TenantCredentials, shop: Shop): Promise<void> {
    const credentials = { username, passwordDigest: digest(password), apiKeyDigest: digest(apiKey) };
    const added = { contractAccountId, shop, ...credentials };
    await this.tenants().createQueryBuilder().insert().values(added).orIgnore().execute();
    await this.tenants().update({ contractAccountId: inAnyCase(contractAccountId) }, credentials);
    this.forget();
  }

  /** Clears the cache; to be called after the database has changed. */
  forget(): void {
    this.known = new Map();
  }

  async find(contractAccountId: string, tx?: Tx): Promise<TenantEntity | undefined> {
    // A merchant that is read during a change goes into the map that the change discards.
    const { known } = this;
    const key = contractAccountId.toLowerCase();
    const found = known.get(key) ?? (await this.tenants(tx).findOneBy({ contractAccountId: inAnyCase(key) }));
    if (found !== null) known.set(key, found);
    return found ?? undefined;
  }

  async all(): Promise<Tenant[]> {
    return this.tenants().find({ order: { contractAccountId: 'ASC' } });
  }

  /** The merchant, if the credentials are valid. */
  async authenticate({
    contractAccountId,
    username,
    password,
  }: Omit<TenantCredentials, 'apiKey'>): Promise<Tenant | undefined> {
    const tenant = await this.find(contractAccountId);
    if (tenant === undefined || tenant.username !== username) return undefined;
    return timingSafeEqual(tenant.passwordDigest, digest(password)) ? tenant : undefined;
  }

  /** Merchants with this core API key, which is the only credential of a core route. */
  async withApiKey(apiKey: string): Promise<Tenant[]> {
    return this.tenants().findBy({ apiKeyDigest: digest(apiKey) });
  }

  private tenants(tx?: Tx): Repository<TenantEntity> {
    return this.database.repository(TenantEntity, tx);
  }
}

function inAnyCase(contractAccountId: string): FindOperator<string> {
  return Raw((column) => `lower(${column}) = lower(:contractAccountId)`, { contractAccountId });
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
