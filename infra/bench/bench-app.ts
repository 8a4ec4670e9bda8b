import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildApp, SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import type { Servers } from './bench.ts';
import { ACCOUNT, SECRET, TENANT } from './tenant.ts';

const APPS = join(import.meta.dirname, '../../apps');
const NO_PLATFORM = { baseUrl: 'http://127.0.0.1:9' };

interface BenchAppOptions {
  /** Name of its folder below `apps`. */
  readonly app: string;
  /** Program that stands in for the app. Default: the app itself. */
  readonly main?: URL;
  /** True: as an image has it, by the last `npm run build`; its sources take 60 MB more. Default: from its sources. */
  readonly isBuilt?: boolean;
  /** Section of its one tenant; without an URL, nothing listens there. */
  readonly platform?: { readonly baseUrl: string; readonly concurrency?: number };
  /** Further sections of the tenant. */
  readonly tenant?: object;
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface BenchApp extends ChildApp {
  readonly url: string;
}

/** An app as a process of its own, from its sources, with the tenant `bench`; it is ready. */
export async function startBenchApp(servers: Servers, options: BenchAppOptions): Promise<BenchApp> {
  const { app, main, isBuilt = false, tenant = {}, nodeOptions = [], env = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-'));
  const tenantsFile = join(folder, 'tenants.json');
  const secret = { env: 'BENCH_SECRET' };
  const platform = { username: TENANT, password: secret, ...(options.platform ?? NO_PLATFORM) };
  const all = { id: TENANT, contractAccountId: ACCOUNT, platform, webhook: { tokens: [secret] }, ...tenant };
  await writeFile(tenantsFile, JSON.stringify({ tenants: [all] }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildApp({
    name: app,
    args: isBuilt
      ? [...nodeOptions, 'dist/main.js']
      : [...nodeOptions, ...SOURCES, main === undefined ? 'src/main.ts' : fileURLToPath(main)],
    cwd: join(APPS, app),
    env: {
      HTTP_PORT: String(port),
      KAFKA_BROKERS: servers.kafkaBrokers,
      DATABASE_URL: servers.databaseUrl,
      TOPIC_PARTITIONS: '3',
      TENANTS_FILE: tenantsFile,
      BENCH_SECRET: SECRET,
      SPOOL_DIR: join(folder, 'spool'),
      LOG_LEVEL: 'error',
      ...env,
    },
    logFile: join(folder, 'app.log'),
    readyUrl: `${url}/health/ready`,
  });
  const stop: ChildApp['stop'] = async (limitMs) => {
    const exit = await child.stop(limitMs);
    await rm(folder, { recursive: true });
    return exit;
  };
  return { ...child, stop, url };
}

/** Processor time that an app has used since its start, in seconds. */
export async function cpuSeconds({ url }: BenchApp): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total(?:\{.*\})? ([\d.e+-]+)/m.exec(metrics)?.[1] ?? Number.NaN);
}

/**
 * A file of an app as a process of its own, with `options` as JSON in its first argument. It answers each order with
 * the milliseconds that it took.
 */
export function startWorker(file: URL, options: object) {
  const child = fork(file, [JSON.stringify(options)], {
    execArgv: [...SOURCES, '--disable-warning=TimeoutNegativeWarning'],
  });
  const gone = new AbortController();
  child.once('exit', (code) => gone.abort(new Error(`${file.pathname} ended with ${code}`)));
  return {
    milliseconds: async (order: object): Promise<number> => {
      child.send(order);
      const [elapsedMs] = (await once(child, 'message', { signal: gone.signal })) as [number];
      return elapsedMs;
    },
    /** Returns when its connections are closed, so that their servers may stop. */
    stop: async (): Promise<void> => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** A server of HTTP, which costs hardly anything, in this process. */
export async function listen(answer: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 600_000 }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
