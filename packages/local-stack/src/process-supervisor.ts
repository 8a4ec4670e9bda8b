import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { COMPILE_CACHE_FOLDER } from './cache-folders.ts';
import { hostEnvironment } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import { freezeTree, killTree, thawTree, untilEnded } from './process-tree.ts';
import { logEnd, logSince, tailOf } from './log-tail.ts';

export interface SpawnOrder {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Standard output and error are appended to this file. */
  logFile: string;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** From the owner to its supervisor. */
export type SupervisorRequest =
  | { kind: 'spawn'; id: number; order: SpawnOrder }
  | { kind: 'scratch'; folder: string }
  | { kind: 'scratch-removed'; folder: string }
  | { kind: 'guest'; pid: number };

/** From the supervisor to its owner. */
export type SupervisorReport =
  | { kind: 'started'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'exited'; id: number; code: number | null; signal: NodeJS.Signals | null };

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child that ends no later than the process that started it. */
export interface SupervisedProcess {
  readonly pid: number;
  /** Settles when the process itself has ended. */
  readonly exited: Promise<ProcessExit>;
  hasExited(): boolean;
  /** Sends a signal to the process alone. */
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGSTOP and SIGCONT to the process and all its descendants. */
  freeze(): void;
  thaw(): void;
  /** Sends SIGKILL to the process and all its descendants. Resolves when all of them have ended. */
  kill(): Promise<void>;
}

interface Child {
  started: PromiseWithResolvers<number>;
  exited: PromiseWithResolvers<ProcessExit>;
  pid: number | undefined;
  over: boolean;
}

interface Supervisor {
  link: ChildProcess;
  children: Map<number, Child>;
  scratch: Set<string>;
  guests: Set<ChildProcess>;
}

let supervisor: Supervisor | undefined;
let lastId = 0;

/**
 * Starts a process in its own session and process group, which ends when this process ends for any reason. Throws
 * `PROCESS_FAILED` if the command cannot be started.
 */
export async function spawnSupervised(order: SpawnOrder): Promise<SupervisedProcess> {
  const { link, children } = theSupervisor();
  const id = ++lastId;
  const child: Child = {
    started: Promise.withResolvers(),
    exited: Promise.withResolvers(),
    pid: undefined,
    over: false,
  };
  children.set(id, child);
  link.send({ kind: 'spawn', id, order } satisfies SupervisorRequest);
  const pid = await child.started.promise;
  const ifRunning = (act: () => void) => {
    if (!child.over) act();
  };
  return {
    pid,
    exited: child.exited.promise,
    hasExited: () => child.over,
    signal: (signal) => ifRunning(() => process.kill(pid, signal)),
    freeze: () => ifRunning(() => freezeTree(pid)),
    thaw: () => ifRunning(() => thawTree(pid)),
    kill: async () => {
      const killed = child.over ? [] : killTree(pid);
      await child.exited.promise;
      await untilEnded(killed);
    },
  };
}

/** Registers a folder for removal if this process ends before `forgetScratch` is called for it. */
export function registerScratch(folder: string): void {
  const { link, scratch } = theSupervisor();
  scratch.add(folder);
  link.send({ kind: 'scratch', folder } satisfies SupervisorRequest);
}

/** Cancels the registration of a folder, because it was removed or must stay. */
export function forgetScratch(folder: string): void {
  if (!supervisor?.scratch.delete(folder)) return;
  supervisor.link.send({ kind: 'scratch-removed', folder } satisfies SupervisorRequest);
  dismissIfIdle();
}

/**
 * Registers a process that was started without the supervisor: it gets SIGTERM when this process has ended. For a
 * process that itself owns supervised processes and must stop properly to end them.
 */
export function terminateWithUs(guest: ChildProcess): void {
  if (guest.pid === undefined || guest.exitCode !== null) return;
  const { link, guests } = theSupervisor();
  guests.add(guest);
  link.send({ kind: 'guest', pid: guest.pid } satisfies SupervisorRequest);
  guest.once('exit', () => {
    guests.delete(guest);
    dismissIfIdle();
  });
}

function theSupervisor(): Supervisor {
  supervisor ??= startSupervisor();
  return supervisor;
}

function startSupervisor(): Supervisor {
  const program = join(import.meta.dirname, `process-supervisor.main${extname(import.meta.filename)}`);
  // `execArgv: []`: the flags of a test runner must not reach the supervisor.
  const link = fork(program, {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...hostEnvironment(), NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER },
  });
  const started: Supervisor = { link, children: new Map(), scratch: new Set(), guests: new Set() };
  link.on('message', (report: SupervisorReport) => receive(started, report));
  link.once('error', () => abandon(started));
  link.once('exit', () => abandon(started));
  return started;
}

/** Without a supervisor, the children would outlive this process: they are ended now. */
function abandon(lost: Supervisor): void {
  if (supervisor === lost) supervisor = undefined;
  for (const [id, child] of lost.children) {
    if (child.pid !== undefined) killTree(child.pid);
    receive(lost, { kind: 'failed', id, message: 'the process supervisor has ended' });
  }
}

function receive({ children }: Supervisor, report: SupervisorReport): void {
  const child = children.get(report.id);
  if (!child) return;
  if (report.kind === 'started') {
    child.pid = report.pid;
    child.started.resolve(report.pid);
    return;
  }
  children.delete(report.id);
  child.over = true;
  if (report.kind === 'exited') child.exited.resolve({ code: report.code, signal: report.signal });
  else {
    child.started.reject(new LocalStackError('PROCESS_FAILED', `A process could not be started: ${report.message}`));
    child.exited.resolve({ code: null, signal: 'SIGKILL' });
  }
  dismissIfIdle();
}

/** Ends an idle supervisor, so that this process can exit. */
function dismissIfIdle(): void {
  if (!supervisor || supervisor.children.size + supervisor.scratch.size + supervisor.guests.size > 0) return;
  supervisor.link.disconnect();
  supervisor = undefined;
}

/**
 * Runs a program to its end, as a child that ends no later than this process. If it fails, throws the result of
 * `failure` for the tail of its log.
 */
export async function runSupervised(
  order: SpawnOrder,
  limitMs: number,
  failure: (tail: string) => Error,
): Promise<void> {
  const start = await logEnd(order.logFile);
  const program = await spawnSupervised(order);
  const timer = setTimeout(() => void program.kill(), limitMs);
  const { code } = await program.exited;
  clearTimeout(timer);
  if (code !== 0) throw failure(tailOf(await logSince(order.logFile, start)));
}
