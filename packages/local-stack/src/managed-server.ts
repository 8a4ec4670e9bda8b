import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isFree } from './free-port.ts';
import { LocalStackError } from './local-stack-error.ts';
import type { SpawnOrder, SupervisedProcess } from './process-supervisor.ts';
import { START_LIMIT_MS, startUntilReady, stopWithin } from './ready-process.ts';
import { recordServer } from './run-record.ts';
import type { ServerFolder } from './server-folder.ts';

/** A server under the control of a test. Each method resolves when it has finished, and may be called again. */
export interface ManagedServer {
  readonly port: number;
  readonly pid: number;
  /** Stops properly within a minute, else like `kill`. A temporary folder is removed. */
  stop(): Promise<void>;
  /** Sends SIGKILL to all its processes at once. The data stay; `restart` uses them again. */
  kill(): Promise<void>;
  /** Sends SIGSTOP to all its processes: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Starts again on the same port with the same data, from any state. */
  restart(): Promise<void>;
}

export interface ServerPlan {
  name: string;
  folder: ServerFolder;
  /** Port to take if it is free; else that of the folder's last start, else any. Default: any. */
  usualPort?: number | undefined;
  stopSignal: NodeJS.Signals;
  /** Returns the command for a port. Called for every start, since it may choose further ports. */
  order(port: number): Promise<SpawnOrder>;
  /** Throws, or returns false, until the server is ready. */
  isReady(port: number): Promise<boolean>;
}

const PORT_ATTEMPTS = 5;
/** In the server's folder: its port at the last start. */
const LAST_PORT_FILE = 'port';

/**
 * Starts the server of a plan and waits until it is ready. Throws `SERVER_FAILED` or `START_TIMEOUT`, with the tail
 * of the log.
 */
export async function startServer(plan: ServerPlan): Promise<ManagedServer> {
  const { port, server } = await launchOnSomePort(plan);
  let current = server;
  const end = () => stopWithin(current, plan.stopSignal);
  return {
    port,
    get pid() {
      return current.pid;
    },
    stop: async () => {
      await end();
      await plan.folder.release();
    },
    kill: () => current.kill(),
    freeze: () => current.freeze(),
    thaw: () => current.thaw(),
    restart: async () => {
      await end();
      current = await relaunch(plan, port);
    },
  };
}

/**
 * Tries the familiar ports that are free, then any. Another process may take a free port before the server listens
 * on it; then the next one is tried.
 */
async function launchOnSomePort(plan: ServerPlan): Promise<{ port: number; server: SupervisedProcess }> {
  const lastPort = join(plan.folder.path, LAST_PORT_FILE);
  const familiar: number[] = [];
  if (plan.usualPort !== undefined) {
    for (const port of [plan.usualPort, Number(await readFile(lastPort, 'utf8').catch(() => ''))])
      if (port > 0 && (await isFree(port))) familiar.push(port);
  }
  for (let attempt = 1; ; attempt++) {
    const port = familiar.shift() ?? (await freePort());
    const server = await launch(plan, port).catch(attempt < PORT_ATTEMPTS ? undefinedIfPortTaken : rethrow);
    if (!server) continue;
    if (plan.usualPort !== undefined) await writeFile(lastPort, String(port));
    return { port, server };
  }
}

/**
 * The port was this server's: waits until its present user, perhaps a remaining process of this server, releases
 * it.
 */
async function relaunch(plan: ServerPlan, port: number): Promise<SupervisedProcess> {
  for (const deadline = performance.now() + START_LIMIT_MS; ;) {
    const server = await launch(plan, port).catch(performance.now() < deadline ? undefinedIfPortTaken : rethrow);
    if (server) return server;
  }
}

function undefinedIfPortTaken(error: unknown): undefined {
  if (!(error instanceof LocalStackError && error.code === 'PORT_TAKEN')) throw error;
}

function rethrow(error: unknown): never {
  throw error;
}

async function launch(plan: ServerPlan, port: number): Promise<SupervisedProcess> {
  return await startUntilReady({
    name: plan.name,
    order: await plan.order(port),
    isReady: () => plan.isReady(port),
    onStart: (pid) => recordServer(plan.folder.path, pid),
  });
}
