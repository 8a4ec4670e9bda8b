import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { breaksConnection } from './database-errors.ts';

/** A class with `@Entity`. */
export type EntityClass<E extends ObjectLiteral = ObjectLiteral> = new () => E;

/** Makes every query of TypeORM destroy a connection in doubt, as `Database.query` does. */
export function destroyDoubtfulConnections(dataSource: DataSource): void {
  const driver = dataSource.driver as PostgresDriver;
  driver.createQueryRunner = (mode) => new PooledRunner(driver, mode);
}

/** Entity manager for repositories in a transaction that `Database.transaction` has begun on `connection`. */
export function managerOf(dataSource: DataSource, connection: PoolClient): EntityManager {
  return dataSource.createEntityManager(new TransactionRunner(dataSource.driver as PostgresDriver, connection));
}

/** TypeORM returns a connection to the pool whatever happened on it; this runner destroys one in doubt. */
class PooledRunner extends PostgresQueryRunner {
  #inDoubt = false;

  override async query(query: string, parameters?: unknown[] | ObjectLiteral, structured?: boolean): Promise<unknown> {
    try {
      return await super.query(query, parameters, structured);
    } catch (error) {
      this.#inDoubt ||= breaksConnection(error);
      throw error;
    }
  }

  override async release(): Promise<void> {
    const { releaseCallback } = this;
    if (this.#inDoubt && releaseCallback !== undefined) this.releaseCallback = () => releaseCallback(true);
    await super.release();
  }
}

/**
 * Begins and ends no transaction: one is already open, and `save` of many rows must not commit it. A transaction
 * that TypeORM itself begins inside becomes a savepoint.
 */
class TransactionRunner extends PostgresQueryRunner {
  constructor(driver: PostgresDriver, connection: PoolClient) {
    super(driver, 'master');
    this.databaseConnection = connection;
    this.isTransactionActive = true;
    this.transactionDepth = 1;
  }
}
