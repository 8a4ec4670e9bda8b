import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Shop } from '../domain/orders/order.ts';
import type { Queryable } from './queryable.ts';

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

interface TenantRow {
  contract_account_id: string;
  username: string;
  password_digest: Buffer;
  shop: Shop;
}

/**
 * Merchants and their credentials, of which only digests are kept. A GUID is found in any case and told as it was
 * registered. Every call asks for one, and only this process changes them: those that were found are in memory.
 */
@Injectable()
export class TenantsRepository {
  private known = new Map<string, TenantRow>();

  /** Adds a merchant, or gives one that exists other credentials; its shop stays. */
  async save(
    db: Queryable,
    { contractAccountId, username, password, apiKey }: TenantCredentials,
    shop: Shop,
  ): Promise<void> {
    await db.query(
      `INSERT INTO tenants (contract_account_id, username, password_digest, api_key_digest, shop) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (lower(contract_account_id)) DO UPDATE SET username = excluded.username,
         password_digest = excluded.password_digest, api_key_digest = excluded.api_key_digest`,
      [contractAccountId, username, digest(password), digest(apiKey), JSON.stringify(shop)],
    );
    this.forget();
  }

  /** To be called when what is in the database has changed. */
  forget(): void {
    this.known = new Map();
  }

  async find(db: Queryable, contractAccountId: string): Promise<Tenant | undefined> {
    const row = await this.row(db, contractAccountId);
    return row && tenantOf(row);
  }

  async all(db: Queryable): Promise<Tenant[]> {
    const { rows } = await db.query<TenantRow>('SELECT * FROM tenants ORDER BY contract_account_id');
    return rows.map(tenantOf);
  }

  /** The merchant, if these are its credentials. */
  async authenticate(
    db: Queryable,
    credentials: Pick<TenantCredentials, 'contractAccountId' | 'username' | 'password'>,
  ): Promise<Tenant | undefined> {
    const row = await this.row(db, credentials.contractAccountId);
    if (row === undefined || row.username !== credentials.username) return undefined;
    return timingSafeEqual(row.password_digest, digest(credentials.password)) ? tenantOf(row) : undefined;
  }

  /** The merchants whose core key this is; the key is all that a core route is given. */
  async withApiKey(db: Queryable, apiKey: string): Promise<Tenant[]> {
    const { rows } = await db.query<TenantRow>('SELECT * FROM tenants WHERE api_key_digest = $1', [digest(apiKey)]);
    return rows.map(tenantOf);
  }

  private async row(db: Queryable, contractAccountId: string): Promise<TenantRow | undefined> {
    // What is read while a merchant is changed goes into the map that is thrown away then.
    const { known } = this;
    const key = contractAccountId.toLowerCase();
    const found = known.get(key);
    if (found !== undefined) return found;
    const { rows } = await db.query<TenantRow>('SELECT * FROM tenants WHERE lower(contract_account_id) = lower($1)', [
      contractAccountId,
    ]);
    const [row] = rows;
    if (row !== undefined) known.set(key, row);
    return row;
  }
}

function tenantOf({ contract_account_id, shop }: TenantRow): Tenant {
  return { contractAccountId: contract_account_id, shop };
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
