import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import type { TestSchema } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CreateShelves1700000000000 } from '../testing/shelf-migration.ts';
import { classifyDatabaseError, DatabaseUnavailableError } from './database-errors.ts';
import { Database } from './database.ts';

@Entity('shelves')
class Shelf {
  @PrimaryColumn({ type: 'bigint' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;
}

const url = testStack().databaseUrl;
let schema: TestSchema;
let database: Database;

function open(options: { queryTimeoutMs?: number } = {}): Database {
  const migrations = [CreateShelves1700000000000];
  const patience = { queryTimeoutMs: 60_000 };
  return new Database({
    url,
    schema: schema.schema,
    migrations,
    entities: [Shelf],
    poolSize: 1,
    ...patience,
    ...options,
  });
}

async function names(): Promise<string[]> {
  const shelves = await database.repository(Shelf).find({ order: { id: 'ASC' } });
  return shelves.map(({ name }) => name);
}

beforeAll(async () => {
  schema = await createTestSchema('repositories');
  database = open();
  await database.connect();
});

beforeEach(async () => {
  await database.repository(Shelf).clear();
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

describe('Database.repository', () => {
  it('saves and finds on any connection', async () => {
    await database.repository(Shelf).save({ id: '1', name: 'fruit' });
    expect(await database.repository(Shelf).findOneBy({ id: '1' })).toEqual({ id: '1', name: 'fruit' });
  });

  it('is part of the transaction that it is given, with several rows saved at once', async () => {
    await database.transaction(async (tx) => {
      const rows = [1, 2].map((id) => ({ id: String(id), name: `shelf ${id}` }));
      await database.repository(Shelf, tx).save(rows);
      await tx.query(`INSERT INTO shelves VALUES (3, 'by text')`);
      expect(await database.repository(Shelf, tx).count()).toBe(3);
    });
    expect(await names()).toEqual(['shelf 1', 'shelf 2', 'by text']);
  });

  it('saves nothing if the transaction fails afterwards', async () => {
    const failure = database.transaction(async (tx) => {
      await database.repository(Shelf, tx).save([
        { id: '1', name: 'one' },
        { id: '2', name: 'two' },
      ]);
      throw new Error('the step failed');
    });
    await expect(failure).rejects.toThrow('the step failed');
    expect(await names()).toEqual([]);
  });

  it('makes a nested transaction of TypeORM a savepoint', async () => {
    await database.transaction(async (tx) => {
      const shelves = database.repository(Shelf, tx);
      await shelves.insert({ id: '1', name: 'stays' });
      const inner = shelves.manager.transaction(async (manager) => {
        await manager.insert(Shelf, { id: '2', name: 'goes' });
        throw new Error('undone');
      });
      await expect(inner).rejects.toThrow('undone');
    });
    expect(await names()).toEqual(['stays']);
  });

  it('fails with a classifiable error, and leaves the only connection usable', async () => {
    await database.repository(Shelf).insert({ id: '1', name: 'one' });
    const nameless = database.repository(Shelf).insert({ id: '2' });
    await expect(nameless.catch(classifyDatabaseError)).resolves.toBe('data');
    expect(await names()).toEqual(['one']);
  });

  it('discards a connection whose query timed out, as query does', async () => {
    await database.repository(Shelf).insert({ id: '1', name: 'one' });
    const impatient = open({ queryTimeoutMs: 1_000 });
    const pid = async () => (await impatient.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
    // A busy machine may take longer than the time-out, which discards the connection.
    const sleeper = async () => {
      await impatient.connect();
      // With a statement time-out, the server would end the statement first, and the connection would not be in
      // doubt.
      await impatient.query('SET statement_timeout = 0');
      return pid();
    };
    try {
      const before = await waitFor(sleeper, { describe: 'a connection without a statement time-out' });
      const slow = impatient.repository(Shelf).createQueryBuilder().select('pg_sleep(30)').getRawMany();
      await expect(slow.catch(classifyDatabaseError)).resolves.toBe('transient');
      // Not asked, as a statement would wait for the answer to the one that timed out.
      const next = await waitFor(() => impatient.connection(), { describe: 'another connection' });
      expect(next).toHaveProperty('processID', expect.any(Number));
      expect(next).not.toHaveProperty('processID', before);
      next.release();
      // The session would otherwise continue to sleep with a lock on the table.
      await database.query('SELECT pg_terminate_backend($1)', [before]);
    } finally {
      await impatient.close();
    }
  });

  it('is not available before the database is connected', () => {
    expect(() => open().repository(Shelf)).toThrow(DatabaseUnavailableError);
  });
});
