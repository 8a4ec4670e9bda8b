import { hostEnvironment } from './host-environment.ts';
import type { ProcessExit } from './process-supervisor.ts';
import { startUntilReady, stopWithin } from './ready-process.ts';

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

/**
 * Starts an app in its own process group and returns when it is ready. The app ends with this process, however this
 * process ends. Throws like `startUntilReady`.
 */
export async function startChildApp(options: ChildAppOptions): Promise<ChildApp> {
  const { name, args, command = process.execPath, cwd, logFile, readyUrl } = options;
  const env = { ...hostEnvironment(), ...options.env };
  const app = await startUntilReady({
    name,
    order: { command, args, cwd, logFile, env },
    isReady: () => isReady(readyUrl),
    limitMs: options.readyTimeoutMs,
  });
  return {
    pid: app.pid,
    exited: app.exited,
    stop: (limitMs) => stopWithin(app, 'SIGTERM', limitMs),
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
