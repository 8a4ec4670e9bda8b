/**
 * The supervisor starts the owner's children and lives slightly longer than the owner. When the owner ends for any
 * reason (even a kill -9), the channel between the two closes; the supervisor then ends every child's process tree
 * and removes the scratch folders. It has its own session, so that neither Ctrl-C nor a signal to the owner's
 * process group reaches it or a child. Tested in process-supervisor.int.spec.ts.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { identify, isRunning, type ProcessIdentity } from './process-table.ts';
import type { SupervisorReport, SupervisorRequest, SpawnOrder } from './process-supervisor.ts';
import { killTree } from './process-tree.ts';

const running = new Set<number>();
const scratch = new Set<string>();
const guests: ProcessIdentity[] = [];

process.on('message', (request: SupervisorRequest) => {
  if (request.kind === 'spawn') start(request.id, request.order);
  else if (request.kind === 'scratch') scratch.add(request.folder);
  else if (request.kind === 'scratch-removed') scratch.delete(request.folder);
  else guests.push(identify(request.pid));
});
process.on('disconnect', endAll);
process.on('SIGTERM', endAll);
process.on('SIGINT', endAll);
process.on('SIGHUP', endAll);

function start(id: number, order: SpawnOrder): void {
  const { command, args, logFile, ...options } = order;
  try {
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.once('error', (error) => {
      if (child.pid === undefined) report({ kind: 'failed', id, message: error.message });
    });
    if (child.pid === undefined) return;
    const pid = child.pid;
    running.add(pid);
    report({ kind: 'started', id, pid });
    child.once('exit', (code, signal) => {
      running.delete(pid);
      endGroup(pid);
      report({ kind: 'exited', id, code, signal });
    });
  } catch (error) {
    report({ kind: 'failed', id, message: String(error) });
  }
}

/** Ends the remaining processes of a program's process group. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The normal case: no process was left.
  }
}

/** Reports to an owner that may have ended; in that case the channel's end is also reported here. */
function report(message: SupervisorReport): void {
  if (process.connected) process.send?.(message, () => {});
}

function endAll(): void {
  for (const guest of guests) if (isRunning(guest)) process.kill(guest.pid, 'SIGTERM');
  for (const pid of running) killTree(pid);
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(0);
}
