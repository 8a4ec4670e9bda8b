import { identify, isRunning, isStopped, type ProcessIdentity, readProcesses } from './process-table.ts';
import { waitFor } from './wait-for.ts';

/** A signal is delivered when a thread runs on a core, which may take a moment on a busy machine. */
const STOP_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 1;

/**
 * Stops a process and all its descendants, and returns when none of them runs. The root is stopped first, so that
 * it starts no more; processes started in the meantime are found by looking again. (Each PostgreSQL backend is its
 * own process group: a signal to the group would only reach the postmaster.)
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

/** Freezing is synchronous, so that the next step of a test meets a frozen server. */
function untilStopped(pids: readonly number[]): void {
  const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS && !pids.every(isStopped); waitedMs += LOOK_AGAIN_MS) {
    Atomics.wait(clock, 0, 0, LOOK_AGAIN_MS);
  }
}

/** Resumes a frozen tree: descendants first, so that the root finds its children running. */
export function thawTree(root: number): void {
  for (const pid of treeOf(root).toReversed()) send(pid, 'SIGCONT');
}

/**
 * Ends a process and all its descendants at once, even if frozen. Returns them, since they may take a moment to
 * end.
 */
export function killTree(root: number): ProcessIdentity[] {
  const tree = freezeTree(root).map(identify);
  for (const { pid } of tree) send(pid, 'SIGKILL');
  return tree;
}

/**
 * Waits until killed processes have ended. On a busy machine each of them first has to run on a core, and until
 * then it holds its resources: PostgreSQL does not start while a backend of the former server still has the shared
 * memory.
 */
export async function untilEnded(processes: readonly ProcessIdentity[]): Promise<void> {
  await waitFor(() => !processes.some(isRunning), { describe: 'the end of killed processes' });
}

/** The root (if it runs), the members of its process group and all descendants; parents before children. */
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
