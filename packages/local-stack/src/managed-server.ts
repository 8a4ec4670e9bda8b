import { freePort } from './free-port.ts';
import { LocalStackError } from './local-stack-error.ts';
import { logEnd, logSince, tailOf } from './log-tail.ts';
import { type KeptProcess, spawnKept } from './process-keeper.ts';
import type { SpawnOrder } from './process-keeper.messages.ts';
import { recordServer } from './run-record.ts';
import type { ServerFolder } from './server-folder.ts';
import { waitFor } from './wait-for.ts';

/** A server as tests handle it. Each method resolves when it is done, and may be repeated. */
export interface ManagedServer {
  readonly port: number;
  readonly pid: number;
  /** In good order, within the plan's limit (ten seconds), else as `kill`. A temporary folder is removed. */
  stop(): Promise<void>;
  /** SIGKILL to all its processes at once. The data stay: `restart` brings them back. */
  kill(): Promise<void>;
  /** SIGSTOP to all its processes: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Up again on the same port with the same data, whatever the state before. */
  restart(): Promise<void>;
}

export interface ServerPlan {
  name: string;
  folder: ServerFolder;
  /** Without it, a free one. */
  port: number | undefined;
  stopSignal: NodeJS.Signals;
  /** Within which it ends in good order; else it is killed. */
  stopLimitMs?: number;
  /** The command for a port. Called for every start anew: it may choose further ports of its own. */
  order(port: number): Promise<SpawnOrder>;
  /** Throws, or answers false, as long as the server does not serve. */
  isReady(port: number): Promise<boolean>;
}

const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 10_000;
const PORT_ATTEMPTS = 5;
const PORT_TAKEN = /address already in use/i;

/**
 * Starts what a plan says and waits until it serves. Throws `PORT_TAKEN` (when the plan names the port),
 * `SERVER_FAILED` or `START_TIMEOUT`, with the log's tail.
 */
export async function startServer(plan: ServerPlan): Promise<ManagedServer> {
  const { port, server } = await launchOnSomePort(plan);
  let current = server;
  const end = async () => {
    current.thaw();
    current.signal(plan.stopSignal);
    await settled(current.exited, plan.stopLimitMs ?? STOP_LIMIT_MS);
    await current.kill();
  };
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

/** Between looking for a free port and listening on it, another process may take it: then the next one is tried. */
async function launchOnSomePort(plan: ServerPlan): Promise<{ port: number; server: KeptProcess }> {
  if (plan.port !== undefined) return { port: plan.port, server: await launch(plan, plan.port) };
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = await launch(plan, port).catch(attempt < PORT_ATTEMPTS ? undefinedIfPortTaken : rethrow);
    if (server) return { port, server };
  }
}

/** The port was this server's: whoever has it now, perhaps its own remains, is given time to leave. */
async function relaunch(plan: ServerPlan, port: number): Promise<KeptProcess> {
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

async function launch(plan: ServerPlan, port: number): Promise<KeptProcess> {
  const order = await plan.order(port);
  const start = await logEnd(order.logFile);
  const server = await spawnKept(order);
  await recordServer(plan.folder.path, server.pid);
  try {
    await waitFor(async () => server.hasExited() || (await plan.isReady(port)), {
      describe: `${plan.name} to answer`,
      timeoutMs: START_LIMIT_MS,
    });
  } catch (cause) {
    await server.kill();
    const log = await logSince(order.logFile, start);
    const message = `${plan.name} did not answer in time; its log ends:\n${tailOf(log)}`;
    throw new LocalStackError('START_TIMEOUT', message, { cause });
  }
  if (!server.hasExited()) return server;
  const log = await logSince(order.logFile, start);
  if (PORT_TAKEN.test(log))
    throw new LocalStackError('PORT_TAKEN', `${plan.name} found port ${port}, or one beside it, taken`);
  throw new LocalStackError('SERVER_FAILED', `${plan.name} ended on starting; its log ends:\n${tailOf(log)}`);
}

async function settled(promise: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}
