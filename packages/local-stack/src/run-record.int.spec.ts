import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startPostgres } from './postgres.ts';
import { startOf } from './process-table.ts';
import { claimFolder, releaseFolder } from './run-record.ts';
import { startContenders } from './testing/contenders.ts';
import { startOwner } from './testing/owner-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

describe('a server’s folder', () => {
  it('is cleared of a server that a dead owner left running', async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'postgres');
    const { owner, supervisor, pids } = await startOwner('stack-owner.ts', folder.path, dataDir);
    // Owner and supervisor die at the same time, as when the machine runs out of memory, so the server stays.
    owner.kill('SIGSTOP');
    process.kill(supervisor, 'SIGKILL');
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

  it('does not lead to the kill of another process with the pid of a former server', async () => {
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

  it('of a dead owner is given to one of several starters, in many rounds', async () => {
    await using folder = await temporaryFolder();
    await using contenders = await startContenders(4);
    const owners: number[] = [];
    for (let round = 1; round <= 50; round += 1) {
      const place = join(folder.path, String(round));
      await mkdir(place);
      await writeFile(join(place, 'run.json'), JSON.stringify({ owner: { pid: process.pid, start: 'a former life' } }));
      const answers = await contenders.all(`claim ${place}`);
      owners.push(answers.filter((answer) => answer === 'holds').length);
    }
    expect({ most: Math.max(...owners), least: Math.min(...owners) }).toEqual({ most: 1, least: 1 });
  });

  it('is released only by its owner', async () => {
    await using folder = await temporaryFolder();
    const other = spawn('sleep', ['60']);
    const record = JSON.stringify({ owner: { pid: other.pid, start: startOf(other.pid ?? 0) } });
    await writeFile(join(folder.path, 'run.json'), record);
    await releaseFolder(folder.path);
    expect(await readFile(join(folder.path, 'run.json'), 'utf8')).toBe(record);
    other.kill();
  });

  it('is free if its record is truncated', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'run.json'), '{"owner":');
    await expect(claimFolder(folder.path)).resolves.toBeUndefined();
  });
});
