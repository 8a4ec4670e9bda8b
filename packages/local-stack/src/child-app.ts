import { LocalStackError } from './local-stack-error.ts';
import { hostEnvironment } from './host-environment.ts';
import { logEnd, logSince, tailOf } from './log-tail.ts';
import { type ProcessExit, spawnSupervised } from './process-supervisor.ts';
import { waitFor } from './wait-for.ts';

export interface ChildAppOptions {
  /** Name for messages, such as `order-command-handler`. */
  name: string;
  /** Arguments, beginning with the program: `['dist/main.js']`. */
  args: string[];
  /** Program that runs them. Default: the Node.js of this process. */
  command?: string;
  cwd: string;
  /** Added to the machine's variables that every program requires (PATH, HOME …); no others are inherited. */
  env: Record<string, string>;
  /** Standard output and error are appended to this file. */
  logFile: string;
  /** URL that answers 200 when the app is ready: `http://127.0.0.1:8080/health/ready`. */
  readyUrl: string;
  readyTimeoutMs?: number;
}

export interface ChildApp {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Sends SIGTERM, and SIGKILL to all its processes if it has not ended within the limit. */
  stop(limitMs?: number): Promise<ProcessExit>;
  /** Sends SIGKILL to all its processes at once. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

// Both are for processes that hang: on a busy machine an app starts and stops slowly.
const READY_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 60_000;

/**
 * Starts an app in its own process group and returns when it is ready. The app ends with this process, however this
 * process ends. Throws `SERVER_FAILED` if the app ends first, `START_TIMEOUT` if it is not ready in time, both with
 * the tail of the log.
 */
export async function startChildApp(options: ChildAppOptions): Promise<ChildApp> {
  const {
    name,
    args,
    command = process.execPath,
    cwd,
    env,
    logFile,
    readyUrl,
    readyTimeoutMs = READY_LIMIT_MS,
  } = options;
  const start = await logEnd(logFile);
  const app = await spawnSupervised({ command, args, cwd, logFile, env: { ...hostEnvironment(), ...env } });
  try {
    await waitFor(async () => app.hasExited() || (await isReady(readyUrl)), {
      describe: `${readyUrl} to answer 200`,
      timeoutMs: readyTimeoutMs,
    });
  } catch (cause) {
    await app.kill();
    throw new LocalStackError(
      'START_TIMEOUT',
      `${name} is not ready in time; its log ends:\n${tailOf(await logSince(logFile, start))}`,
      { cause },
    );
  }
  if (app.hasExited())
    throw new LocalStackError(
      'SERVER_FAILED',
      `${name} ended on starting; its log ends:\n${tailOf(await logSince(logFile, start))}`,
    );
  return {
    pid: app.pid,
    exited: app.exited,
    stop: async (limitMs = STOP_LIMIT_MS) => {
      app.thaw();
      app.signal('SIGTERM');
      const timer = setTimeout(() => void app.kill(), limitMs);
      const exit = await app.exited;
      clearTimeout(timer);
      await app.kill();
      return exit;
    },
    kill: () => app.kill(),
    freeze: () => app.freeze(),
    thaw: () => app.thaw(),
  };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  return response.status === 200;
}

const SWC_HOOKS = new URL('./swc-hooks.ts', import.meta.url).href;

/**
 * Options of Node.js that run an app's TypeScript directly, including decorators: no build is necessary, and no
 * build can be out of date.
 */
export const SOURCES = ['--conditions=gondola-source', '--import', SWC_HOOKS];

/** Arguments of Node.js, run in an app's folder, that start the app from its sources. */
export const FROM_SOURCES = [...SOURCES, 'src/main.ts'];
