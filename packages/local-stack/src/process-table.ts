import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
}

/**
 * All running processes of the machine, without zombies, which have ended and wait for their parent. Reads /proc on
 * Linux, ps elsewhere.
 */
export function readProcesses(): ProcessRow[] {
  return process.platform === 'linux' ? readProc() : readPs();
}

function readProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const fields = statFields(pid);
    if (!fields || isOver(fields[0])) continue;
    rows.push({ pid, parent: Number(fields[1]), group: Number(fields[2]) });
  }
  return rows;
}

function readPs(): ProcessRow[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' });
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length === 4 && !isOver(columns[3]))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }));
}

/**
 * Identifies one start of a process: a later process with the same pid has another text. Undefined if no such
 * process runs.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const fields = statFields(pid);
    if (!fields || isOver(fields[0])) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  }
  try {
    const text = execFileSync('ps', ['-p', String(pid), '-o', 'stat=,lstart='], { encoding: 'utf8' }).trim();
    const [state, ...start] = text.split(/\s+/);
    return isOver(state) ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

/** True if a process has ended and its parent has not reaped it. */
export function isZombie(pid: number): boolean {
  return process.platform === 'linux' && statFields(pid)?.[0] === 'Z';
}

/**
 * True if every thread of a process has stopped or ended. (Outside Linux, only the process as a whole is checked.)
 */
export function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return stoppedByPs(pid);
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return true;
  }
  return threads.every((thread) => {
    const state = statFields(pid, `task/${thread}/`)?.[0];
    return isOver(state) || state === 'T' || state === 't';
  });
}

function stoppedByPs(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' }).trim();
    return isOver(state) || state.startsWith('T');
  } catch {
    return true;
  }
}

/**
 * Fields of /proc/<pid>/stat from the third (state) on; the second, the program's name, may contain blanks and
 * brackets.
 */
function statFields(pid: number, thread = ''): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/${thread}stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function isOver(state: string | undefined): boolean {
  return !state || state.startsWith('Z') || state.startsWith('X');
}

/**
 * Identity of a process that distinguishes it from a later one with the same pid; stored in files that outlive the
 * process.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, start: startOf(pid) ?? 'has ended' };
}

export function isRunning({ pid, start }: ProcessIdentity): boolean {
  return startOf(pid) === start;
}
