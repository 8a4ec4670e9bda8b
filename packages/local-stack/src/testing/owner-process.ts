import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readProcesses } from '../process-table.ts';

export interface OwnerProcess {
  owner: ChildProcess;
  /** The keeper that started the servers for it. */
  keeper: number;
  /** The servers, and what they have started themselves. */
  pids: number[];
}

/**
 * Runs a program of this folder (`stack-owner.ts`) as a process of its own and returns when what it owns is up.
 * `temporaryRoot` is where its folders go.
 */
export async function startOwner(program: string, temporaryRoot: string, ...args: string[]): Promise<OwnerProcess> {
  const file = join(import.meta.dirname, program);
  const owner = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, TMPDIR: temporaryRoot },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  const servers = JSON.parse(line) as number[];
  const rows = readProcesses();
  const keeper = rows.find(({ pid }) => pid === servers[0])?.parent ?? 0;
  return {
    owner,
    keeper,
    pids: [...servers, ...rows.filter(({ parent }) => servers.includes(parent)).map(({ pid }) => pid)],
  };
}
