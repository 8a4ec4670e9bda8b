import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isReachable, postgresUser } from './postgres-user.ts';
import { inServerFolder } from './server-folder.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const FOR_OTHERS = 0o007;
const FOR_GROUP = 0o070;

describe('the folder of a server', () => {
  it.each(['kafka', 'postgres'] as const)('of %s is closed to other users, even if it was open', async (kind) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, kind);
    await mkdir(path);
    await chmod(path, 0o755);
    for (const choice of [{ path }, { temporaryRoot: folder.path }])
      await inServerFolder(kind, choice, async (server) => {
        expect((await stat(server.path)).mode & FOR_OTHERS).toBe(0);
        await server.release();
      });
  });

  it('lets PostgreSQL’s user pass through, and list nothing', async () => {
    await using folder = await temporaryFolder();
    await inServerFolder('postgres', { temporaryRoot: folder.path }, async (server) => {
      const user = postgresUser();
      expect(user === undefined || isReachable(server.path, user)).toBe(true);
      expect((await stat(server.path)).mode & FOR_GROUP & 0o060).toBe(0);
      await server.release();
    });
  });

  it('of Kafka is closed to all other users', async () => {
    await using folder = await temporaryFolder();
    await inServerFolder('kafka', { temporaryRoot: folder.path }, async (server) => {
      expect((await stat(server.path)).mode & 0o777).toBe(0o700);
      await server.release();
    });
  });
});
