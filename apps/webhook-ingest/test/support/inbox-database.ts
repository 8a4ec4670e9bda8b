import { createTestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { ingestEntities, ingestMigrations } from '../../src/database.schema.ts';

/** The tables of the inbox in the suite's own schema, without an app. */
export class InboxDatabase {
  readonly database: Database;
  readonly #drop: () => Promise<void>;

  private constructor(
    database: Database,
    readonly url: string,
    drop: () => Promise<void>,
  ) {
    this.database = database;
    this.#drop = drop;
  }

  static async open(label: string): Promise<InboxDatabase> {
    const schema = await createTestSchema(label);
    const tables = { entities: ingestEntities, migrations: ingestMigrations };
    const database = new Database({
      url: schema.url,
      schema: schema.schema,
      ...tables,
      queryTimeoutMs: ANSWER_LIMIT_MS,
    });
    await database.connect();
    return new InboxDatabase(database, schema.url, () => schema.drop());
  }

  /** The stored bodies, in the order of the ids. */
  async bodies(table: 'notifications' | 'quarantine'): Promise<string[]> {
    const { rows } = await this.database.query<{ body: Buffer }>(`SELECT body FROM ${table} ORDER BY id`);
    return rows.map(({ body }) => body.toString());
  }

  async clear(): Promise<void> {
    await this.database.query('TRUNCATE notifications, quarantine');
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.#drop();
  }
}
