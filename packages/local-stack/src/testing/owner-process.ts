import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readProcesses } from '../process-table.ts';

export interface OwnerProcess {
  owner: ChildProcess;
  /** Supervisor that started its servers. */
  supervisor: number;
  /** Pids of the servers and their descendants. */
  pids: number[];
}

/**
 * Runs a program of this folder (`stack-owner.ts`) in a separate process, and returns when its servers are running.
 * Its folders are created below `temporaryRoot`.
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
  const supervisor = rows.find(({ pid }) => pid === servers[0])?.parent ?? 0;
  return {
    owner,
    supervisor,
    pids: [...servers, ...rows.filter(({ parent }) => servers.includes(parent)).map(({ pid }) => pid)],
  };
}
