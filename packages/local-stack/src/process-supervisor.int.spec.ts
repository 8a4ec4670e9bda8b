import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { spawnSupervised } from './process-supervisor.ts';
import { readProcesses, startOf } from './process-table.ts';
import { startOwner } from './testing/owner-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { waitFor } from './wait-for.ts';

describe('a supervised process', () => {
  it('reports its exit, and writes its output to its log', async () => {
    await using folder = await temporaryFolder();
    const child = await spawnSupervised(order(folder.path, 'echo said; exit 3'));
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(child.hasExited()).toBe(true);
    expect(await readFile(logOf(folder.path), 'utf8')).toBe('said\n');
  });

  it('does not start if the program is missing', async () => {
    await using folder = await temporaryFolder();
    const impossible = { ...order(folder.path, ''), command: join(folder.path, 'missing') };
    await expect(spawnSupervised(impossible)).rejects.toMatchObject({ code: 'PROCESS_FAILED' });
  });

  it('is killed with all its descendants, even those in their own sessions', async () => {
    await using folder = await temporaryFolder();
    const child = await spawnSupervised(order(folder.path, 'setsid sleep 60 & (sleep 61; true) & wait'));
    const tree = await waitFor(() => atLeast(4, treeOf(child.pid)), { describe: 'all four processes' });
    await child.kill();
    expect(tree.filter((pid) => startOf(pid))).toEqual([]);
  });

  it('has the rest of its process group killed when it ends by itself', async () => {
    await using folder = await temporaryFolder();
    const mark = join(folder.path, 'mark');
    const child = await spawnSupervised(order(folder.path, `sleep 60 & echo $! > ${mark}; exit 0`));
    await child.exited;
    const left = Number(await readFile(mark, 'utf8'));
    await waitFor(() => !startOf(left), { describe: 'the end of the process left behind' });
    expect(existsSync(`/proc/${child.pid}`)).toBe(false);
  });

  it('may be a guest, which gets SIGTERM if its owner is killed', async () => {
    await using folder = await temporaryFolder();
    const { owner, pids } = await startOwner('guest-owner.ts', folder.path);
    owner.kill('SIGKILL');
    await waitFor(() => !startOf(pids[0] ?? 0), { describe: 'the end of the guest' });
    expect(pids).toHaveLength(1);
  });

  it('ends if its supervisor is killed, and the next one gets a new supervisor', async () => {
    await using folder = await temporaryFolder();
    const child = await spawnSupervised(order(folder.path, 'sleep 60'));
    process.kill(treeParent(child.pid), 'SIGKILL');
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await waitFor(() => !startOf(child.pid), { describe: 'the end of the child' });
    const next = await spawnSupervised(order(folder.path, 'exit 0'));
    expect(await next.exited).toEqual({ code: 0, signal: null });
  });
});

function order(folder: string, script: string) {
  return { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, logFile: logOf(folder) };
}

function logOf(folder: string): string {
  return join(folder, 'child.log');
}

function treeParent(pid: number): number {
  return readProcesses().find((row) => row.pid === pid)?.parent ?? 0;
}

function treeOf(root: number): number[] {
  const children = readProcesses().filter(({ parent }) => parent === root);
  return [root, ...children.flatMap(({ pid }) => treeOf(pid))];
}

function atLeast(count: number, pids: number[]): number[] | undefined {
  return pids.length >= count ? pids : undefined;
}
