import { createTestSchema } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { expect, it } from '@jest/globals';
import { messagingMigrations } from '../messaging-tables.ts';
import { TEST_QUERY_TIMEOUT_MS as queryTimeoutMs } from '../testing/test-database.ts';
import { NameAttemptsInProgress1760000000008 } from './commands.migration.ts';

it('the migration renames the attempts in stored progress, and changes no text that looks like the old name', async () => {
  const test = await createTestSchema('commands-migration');
  const { url, schema } = test;
  const before = messagingMigrations.filter((migration) => migration !== NameAttemptsInProgress1760000000008);
  const older = new Database({ url, schema, migrations: before, queryTimeoutMs });
  const newer = new Database({ url, schema, migrations: messagingMigrations, queryTimeoutMs });
  try {
    await older.connect();
    const note = 'who wrote "sendings":[] here?';
    const progress = JSON.stringify({ sendings: [{ at: '2026-11-20T13:00:00Z' }], read: { sendings: 1 }, note });
    await older.query(
      `INSERT INTO lanes (tenant, kind, identity) VALUES ('acme', 'order', '1');
       INSERT INTO commands (lane_id, tenant, topic, command_id, command, content_hash, progress)
       SELECT id, 'acme', 't', 'c-1', 'Ship', 'h', '${progress}' FROM lanes`,
    );
    await newer.connect();
    const { rows } = await newer.query<{ progress: unknown }>('SELECT progress FROM commands');
    expect(rows).toEqual([{ progress: { attempts: [{ at: '2026-11-20T13:00:00Z' }], read: { attempts: 1 }, note } }]);
  } finally {
    await Promise.all([older.close(), newer.close()]);
    await test.drop();
  }
});
