import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { COMPILE_CACHE_FOLDER } from './compile-cache.ts';
import { hostEnvironment } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import type { KeeperReport, KeeperRequest, SpawnOrder } from './process-keeper.messages.ts';
import { freezeTree, killTree, thawTree, untilEnded } from './process-tree.ts';
import { logEnd, logSince, tailOf } from './log-tail.ts';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child that does not outlive the process that started it. */
export interface KeptProcess {
  readonly pid: number;
  /** Settles when the process itself has ended. */
  readonly exited: Promise<ProcessExit>;
  hasExited(): boolean;
  /** To the process alone. */
  signal(signal: NodeJS.Signals): void;
  /** SIGSTOP and SIGCONT to the process and all that descends from it. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL to the process and all that descends from it. Ends when all of them have. */
  kill(): Promise<void>;
}

interface Child {
  started: PromiseWithResolvers<number>;
  exited: PromiseWithResolvers<ProcessExit>;
  pid: number | undefined;
  over: boolean;
}

interface Keeper {
  link: ChildProcess;
  children: Map<number, Child>;
  scratch: Set<string>;
  guests: Set<ChildProcess>;
}

let keeper: Keeper | undefined;
let lastId = 0;

/**
 * Starts a process, in a session and process group of its own, that ends when this process ends, however it ends.
 * Throws `PROCESS_FAILED` when the command cannot be started.
 */
export async function spawnKept(order: SpawnOrder): Promise<KeptProcess> {
  const { link, children } = theKeeper();
  const id = ++lastId;
  const child: Child = {
    started: Promise.withResolvers(),
    exited: Promise.withResolvers(),
    pid: undefined,
    over: false,
  };
  children.set(id, child);
  link.send({ kind: 'spawn', id, order } satisfies KeeperRequest);
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

/** Has a folder removed when this process ends before `forgetScratch` was called for it. */
export function keepScratch(folder: string): void {
  const { link, scratch } = theKeeper();
  scratch.add(folder);
  link.send({ kind: 'scratch', folder } satisfies KeeperRequest);
}

/** The folder is removed, or is to stay. */
export function forgetScratch(folder: string): void {
  if (!keeper?.scratch.delete(folder)) return;
  keeper.link.send({ kind: 'scratch-removed', folder } satisfies KeeperRequest);
  dismissIfIdle();
}

/**
 * Has a process that we started ourselves sent SIGTERM when we are gone: one that owns kept processes in its turn, and
 * must end in good order to end them.
 */
export function terminateWithUs(guest: ChildProcess): void {
  if (guest.pid === undefined || guest.exitCode !== null) return;
  const { link, guests } = theKeeper();
  guests.add(guest);
  link.send({ kind: 'guest', pid: guest.pid } satisfies KeeperRequest);
  guest.once('exit', () => {
    guests.delete(guest);
    dismissIfIdle();
  });
}

function theKeeper(): Keeper {
  keeper ??= startKeeper();
  return keeper;
}

function startKeeper(): Keeper {
  const program = join(import.meta.dirname, `process-keeper.main${extname(import.meta.filename)}`);
  // `execArgv: []`: a test runner's own flags are none of the keeper's business.
  const link = fork(program, {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...hostEnvironment(), NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER },
  });
  const started: Keeper = { link, children: new Map(), scratch: new Set(), guests: new Set() };
  link.on('message', (report: KeeperReport) => receive(started, report));
  link.once('error', () => abandon(started));
  link.once('exit', () => abandon(started));
  return started;
}

/** Without a keeper nobody would end the children with us: they end now. */
function abandon(lost: Keeper): void {
  if (keeper === lost) keeper = undefined;
  for (const [id, child] of lost.children) {
    if (child.pid !== undefined) killTree(child.pid);
    receive(lost, { kind: 'failed', id, message: 'the process keeper has ended' });
  }
}

function receive({ children }: Keeper, report: KeeperReport): void {
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

/** With nothing left to watch over, the keeper goes, so that it does not hold this process open. */
function dismissIfIdle(): void {
  if (!keeper || keeper.children.size + keeper.scratch.size + keeper.guests.size > 0) return;
  keeper.link.disconnect();
  keeper = undefined;
}

/**
 * Runs a program to its end, as a child that does not outlive this process. If it fails, throws what `failure` makes of
 * its log's tail.
 */
export async function runKept(order: SpawnOrder, limitMs: number, failure: (tail: string) => Error): Promise<void> {
  const start = await logEnd(order.logFile);
  const program = await spawnKept(order);
  const timer = setTimeout(() => void program.kill(), limitMs);
  const { code } = await program.exited;
  clearTimeout(timer);
  if (code !== 0) throw failure(tailOf(await logSince(order.logFile, start)));
}
