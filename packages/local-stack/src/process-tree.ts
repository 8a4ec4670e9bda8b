import { identify, isRunning, isStopped, type ProcessIdentity, readProcesses } from './process-table.ts';
import { waitFor } from './wait-for.ts';

const END_LIMIT_MS = 60_000;

/** A signal is delivered when a thread has its turn on a core; on a busy machine that takes a moment. */
const STOP_LIMIT_MS = 5_000;
const LOOK_AGAIN_MS = 1;

/**
 * Stops a process and all that descends from it, and returns when nothing of it runs. The root comes first, so that it
 * starts no more; what was started in the meantime is found by looking again. (Each PostgreSQL backend is a process
 * group of its own: a signal to the group would reach the postmaster alone.)
 */
export function freezeTree(root: number): number[] {
  const frozen = new Set<number>();
  for (;;) {
    const fresh = treeOf(root).filter((pid) => !frozen.has(pid));
    if (fresh.length === 0) return [...frozen];
    for (const pid of fresh) {
      send(pid, 'SIGSTOP');
      frozen.add(pid);
    }
    untilStopped(fresh);
  }
}

/** Freezing is synchronous, so that what follows it in a test meets a frozen server. */
function untilStopped(pids: readonly number[]): void {
  const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS && !pids.every(isStopped); waitedMs += LOOK_AGAIN_MS) {
    Atomics.wait(clock, 0, 0, LOOK_AGAIN_MS);
  }
}

/** Lets a frozen tree run again: descendants first, so that the root meets children that answer. */
export function thawTree(root: number): void {
  for (const pid of treeOf(root).toReversed()) send(pid, 'SIGCONT');
}

/**
 * Ends a process and all that descends from it at once, also when it is frozen. Returns them: they may take a moment to
 * be gone.
 */
export function killTree(root: number): ProcessIdentity[] {
  const tree = freezeTree(root).map(identify);
  for (const { pid } of tree) send(pid, 'SIGKILL');
  return tree;
}

/**
 * Waits until processes that were killed have ended. On a busy machine that takes one its turn on a core, and until
 * then it holds what it has: a PostgreSQL does not start beside the shared memory of a backend that is not gone.
 */
export async function untilEnded(processes: readonly ProcessIdentity[]): Promise<void> {
  await waitFor(() => !processes.some(isRunning), { describe: 'the end of killed processes', timeoutMs: END_LIMIT_MS });
}

/** The root (if it runs), the members of its process group and all descendants, parents before children. */
function treeOf(root: number): number[] {
  const rows = readProcesses();
  const tree = new Set(rows.filter((row) => row.pid === root || row.group === root).map((row) => row.pid));
  for (let size = -1; size !== tree.size;) {
    size = tree.size;
    for (const row of rows) if (tree.has(row.parent)) tree.add(row.pid);
  }
  return [root, ...[...tree].filter((pid) => pid !== root)].filter((pid) => tree.has(pid));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
