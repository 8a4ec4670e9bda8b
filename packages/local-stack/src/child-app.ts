import { LocalStackError } from './local-stack-error.ts';
import { hostEnvironment } from './host-environment.ts';
import { logEnd, logSince, tailOf } from './log-tail.ts';
import { type ProcessExit, spawnKept } from './process-keeper.ts';
import { waitFor } from './wait-for.ts';

export interface ChildAppOptions {
  /** For messages: `order-command-handler`. */
  name: string;
  /** Arguments, the program first: `['dist/main.js']`. */
  args: string[];
  /** The program that runs them. Default: the Node.js of this process. */
  command?: string;
  cwd: string;
  /** Laid over what every program needs of the machine (PATH, HOME …); nothing else is inherited. */
  env: Record<string, string>;
  /** Standard output and error are appended to it. */
  logFile: string;
  /** Answers 200 when the app is ready: `http://127.0.0.1:8080/health/ready`. */
  readyUrl: string;
  readyTimeoutMs?: number;
}

export interface ChildApp {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** SIGTERM, and SIGKILL to all its processes when it has not ended within the limit. */
  stop(limitMs?: number): Promise<ProcessExit>;
  /** SIGKILL to all its processes at once. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

const STOP_LIMIT_MS = 15_000;

/**
 * Starts an app in a process group of its own and returns when it is ready. It ends with this process, however this
 * process ends. Throws `SERVER_FAILED` when it ends before, `START_TIMEOUT` when it is not ready in time, both with the
 * log's tail.
 */
export async function startChildApp(options: ChildAppOptions): Promise<ChildApp> {
  const { name, args, command = process.execPath, cwd, env, logFile, readyUrl, readyTimeoutMs = 60_000 } = options;
  const start = await logEnd(logFile);
  const app = await spawnKept({ command, args, cwd, logFile, env: { ...hostEnvironment(), ...env } });
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
 * Options of Node.js that run TypeScript of an app as it is, decorators and all: no build is needed, and none is out of
 * date.
 */
export const SOURCES = ['--conditions=gondola-source', '--import', SWC_HOOKS];

/** Arguments of Node.js, to be given in an app's folder, that run the app from its sources. */
export const FROM_SOURCES = [...SOURCES, 'src/main.ts'];
