import { LocalStackError } from './local-stack-error.ts';
import { logEnd, logSince, tailOf } from './log-tail.ts';
import { type ProcessExit, type SpawnOrder, spawnSupervised, type SupervisedProcess } from './process-supervisor.ts';
import { waitFor } from './wait-for.ts';

export interface ReadyPlan {
  /** Name for messages. */
  readonly name: string;
  readonly order: SpawnOrder;
  /** Throws, or returns false, until the process is ready. */
  readonly isReady: () => Promise<boolean>;
  readonly limitMs?: number | undefined;
  readonly onStart?: (pid: number) => Promise<void>;
}

// Both are for processes that hang: on a busy machine a server or an app starts and stops slowly.
export const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 60_000;
const PORT_TAKEN = /EADDRINUSE|address already in use/i;

/**
 * Starts a process and returns when it is ready. Throws `PORT_TAKEN` or `SERVER_FAILED` if it ends first,
 * `START_TIMEOUT` if it is not ready in time, with the tail of what it logged.
 */
export async function startUntilReady(plan: ReadyPlan): Promise<SupervisedProcess> {
  const { name, order, isReady, limitMs = START_LIMIT_MS } = plan;
  const start = await logEnd(order.logFile);
  const started = await spawnSupervised(order);
  await plan.onStart?.(started.pid);
  try {
    await waitFor(async () => started.hasExited() || (await isReady()), {
      describe: `${name} to be ready`,
      timeoutMs: limitMs,
    });
  } catch (cause) {
    await started.kill();
    const log = tailOf(await logSince(order.logFile, start));
    throw new LocalStackError('START_TIMEOUT', `${name} is not ready in time; its log ends:\n${log}`, { cause });
  }
  if (!started.hasExited()) return started;
  const log = await logSince(order.logFile, start);
  const code = PORT_TAKEN.test(log) ? 'PORT_TAKEN' : 'SERVER_FAILED';
  throw new LocalStackError(code, `${name} ended on starting; its log ends:\n${tailOf(log)}`);
}

/** Sends a signal, also to a frozen process, and SIGKILL to all its processes if it has not ended within the limit. */
export async function stopWithin(
  running: SupervisedProcess,
  signal: NodeJS.Signals,
  limitMs = STOP_LIMIT_MS,
): Promise<ProcessExit> {
  running.thaw();
  running.signal(signal);
  const timer = setTimeout(() => void running.kill(), limitMs);
  const exit = await running.exited;
  clearTimeout(timer);
  await running.kill();
  return exit;
}
