import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startPostgres } from './postgres.ts';
import { startOf } from './process-table.ts';
import { claimFolder } from './run-record.ts';
import { startOwner } from './testing/owner-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

describe('a server’s folder', () => {
  it('is freed of the server that a dead owner left running there', async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'postgres');
    const { owner, keeper, pids } = await startOwner('stack-owner.ts', folder.path, dataDir);
    // Owner and keeper die in one moment, as when the machine runs out of memory: nobody ends the server.
    owner.kill('SIGSTOP');
    process.kill(keeper, 'SIGKILL');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(startOf(pids[0] ?? 0)).toBeDefined();

    const postgres = await startPostgres({ dataDir, durable: false });
    expect(startOf(pids[0] ?? 0)).toBeUndefined();
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.end();
    await postgres.stop();
  });

  it('does not cost a process its life that has the pid of a former server', async () => {
    await using folder = await temporaryFolder();
    const bystander = spawn('sleep', ['60']);
    const dead = { pid: bystander.pid, start: 'another time' };
    await writeFile(join(folder.path, 'run.json'), JSON.stringify({ owner: dead, server: dead }));
    await claimFolder(folder.path);
    expect(startOf(bystander.pid ?? 0)).toBeDefined();
    bystander.kill();
  });

  it('is not given to two owners', async () => {
    await using folder = await temporaryFolder();
    await claimFolder(folder.path);
    const second = claimFolder(folder.path);
    await expect(second).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    await expect(second).rejects.toThrow(`${folder.path} is in use by process ${process.pid}`);
  });

  it('is given away when its record was cut short', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'run.json'), '{"owner":');
    await expect(claimFolder(folder.path)).resolves.toBeUndefined();
  });
});
