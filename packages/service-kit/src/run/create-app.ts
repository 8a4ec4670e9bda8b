import { lookup } from 'node:dns/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { type AppOptions, DEFAULT_TIMINGS, type Timings } from './app-options.ts';
import { AppInfo } from '../health/app-info.ts';
import { closeHttp, type HttpServers, OperationsServer } from '../http/operations-server.ts';
import type { Database } from '../database/database.ts';
import { serveRequests } from '../http/direct-route.ts';
import { AllExceptionsFilter } from '../http/exception.filter.ts';
import { Health } from '../health/health.ts';
import { createHttpAdapter, listenRefusal, type ListenSettings } from '../http/http-adapter.ts';
import { HttpConnections } from '../http/http-connections.ts';
import { KitModule } from './kit.module.ts';
import { NestPinoLogger } from '../logging/nest-pino-logger.ts';
import { collectedGauge } from '../metrics/collected-gauge.ts';
import { OpenApiDocument } from '../http/openapi-document.ts';
import { checkOperations } from '../http/operation.ts';
import { guardOperations, showsToken } from '../http/operations.guard.ts';
import { RepeatingTask } from './repeating-task.ts';
import { StartSequence, StopDeadline } from './start-sequence.ts';
import { type Startable, startablesOf } from './startable.ts';
import { pooledRandomBytes, RequestTrace, traceRequests } from '../http/trace.ts';
import { type Tracer, tracing } from '../tracing/tracing.ts';
import { settlesWithin } from './within.ts';

const MS_PER_SECOND = 1_000;
/** Time to send the last spans; a collector that is away is waited for no longer. */
const LAST_SPANS_MS = 1_000;

/** An app in this process, without signals and exits: `runApp` adds these, tests use it directly. */
export interface RunningApp {
  readonly app: NestFastifyApplication;
  /** Base URL, such as `http://127.0.0.1:8081`. Throws before `listen`. */
  readonly url: string;
  /**
   * Base URL of `/api`, `/metrics` and `/health`; differs from `url` if `OPERATIONS_PORT` is set. Throws before
   * `listen`.
   */
  readonly operationsUrl: string;
  /** Opens HTTP: live answers yes, ready no. */
  listen(): Promise<void>;
  /**
   * Listens and starts everything in order; afterwards the app is ready. On a permanent failure stops everything
   * and throws.
   */
  start(): Promise<void>;
  /**
   * Ends readiness, stops HTTP, then everything else in reverse order, within `shutdownMs`. May be called at any
   * time and repeatedly.
   */
  stop(): Promise<void>;
  /** Names of the startables that did not stop in time. */
  readonly leftBehind: readonly string[];
  /** Resolves with the error if a background startable fails permanently. */
  readonly failure: Promise<unknown>;
}

/** Connects Nest, HTTP, health, metrics, operations API and the startables of an app. Starts nothing. */
export async function createApp(options: AppOptions): Promise<RunningApp> {
  const { logger, httpOptions = {} } = options;
  const health = new Health();
  const adapter = createHttpAdapter(httpOptions);
  const fastify = adapter.getInstance<FastifyInstance>();
  const trace = new RequestTrace({ logger, random: pooledRandomBytes() });
  const { operationsToken: token, operationsPort = null } = options.config.http;
  traceRequests(fastify, trace, (headers) => token !== null && showsToken(token, headers));
  const operations = operationsPort === null ? null : new OperationsServer(fastify, httpOptions);
  guardOperations(fastify, token);
  await httpOptions.prepare?.(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(KitModule.register(options, health), adapter, {
    logger: new NestPinoLogger(logger),
    bodyParser: httpOptions.bodyParser ?? true,
    abortOnError: false,
  });
  app.useGlobalFilters(new AllExceptionsFilter(logger));
  app.get(OpenApiDocument).describe(app);
  checkOperations(app);
  const direct = options.directRoute?.(app);
  const connections = new HttpConnections(httpOptions.connectionLimits);
  serveRequests(fastify.server, { connections, trace, direct });
  operations?.serve({ connections, trace });
  const tracer = await tracerOf(options, app.get(AppInfo).version);
  return new NestApp(options, { app, fastify, operations, connections, health, tracer });
}

interface NestAppDependencies extends HttpServers {
  readonly app: NestFastifyApplication;
  readonly health: Health;
  readonly tracer: Tracer | null;
}

class NestApp implements RunningApp {
  readonly app: NestFastifyApplication;
  readonly failure: Promise<unknown>;
  readonly #options: AppOptions;
  readonly #servers: HttpServers;
  readonly #health: Health;
  readonly #tracer: Tracer | null;
  readonly #sequence: StartSequence;
  readonly #timings: Timings;
  readonly #steps: number;
  #deadline: StopDeadline | undefined;
  #listening: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: AppOptions, { app, fastify, operations, connections, health, tracer }: NestAppDependencies) {
    this.app = app;
    this.#options = options;
    this.#servers = { fastify, operations, connections };
    this.#health = health;
    this.#tracer = tracer;
    const failure = Promise.withResolvers<unknown>();
    this.failure = failure.promise;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    const { retryFirstMs, retryMostMs } = this.#timings;
    const startables = allStartables(options, app);
    showTasks(app.get(Registry), startables);
    // Steps besides the startables: HTTP before them, Nest and the traces after them.
    this.#steps = startables.length + 3;
    if (options.database !== undefined) watchDatabase(health, options.database, options.databaseInBackground ?? false);
    this.#sequence = new StartSequence({
      startables,
      health,
      logger: options.logger,
      retryMs: { first: retryFirstMs, most: retryMostMs },
      onFailure: failure.resolve,
    });
  }

  get leftBehind(): readonly string[] {
    return this.#deadline?.leftBehind ?? [];
  }

  get url(): string {
    const address = this.#servers.fastify.server.address();
    if (address === null || typeof address === 'string') throw new Error('The HTTP server does not listen yet');
    const host = address.address === '0.0.0.0' || address.address === '::' ? '127.0.0.1' : address.address;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  get operationsUrl(): string {
    const url = new URL(this.url);
    const port = this.#servers.operations?.port ?? null;
    if (port !== null) url.port = String(port);
    return url.origin;
  }

  async listen(): Promise<void> {
    this.#listening ??= this.#listen();
    await this.#listening;
  }

  async start(): Promise<void> {
    try {
      await this.listen();
      await this.#sequence.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (this.#stopping !== undefined) return;
    this.#health.setPhase('ready');
    this.#options.logger.info('The app is ready');
  }

  async stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    await this.#stopping;
  }

  async #listen(): Promise<void> {
    const { host, port, operationsPort = null, operationsToken } = this.#options.config.http;
    const { logger } = this.#options;
    // Only the first address of a name: for each address of `localhost` Fastify would open another server, without
    // the direct route and without counting its connections.
    const address = await naming({ variable: 'HTTP_PORT', host, port }, async () => {
      const found = await lookup(host);
      await this.app.listen({ host: found.address, port });
      return found.address;
    });
    logger.info({ host, port: Number(new URL(this.url).port) }, 'The HTTP server listens');
    const { operations } = this.#servers;
    if (operations !== null && operationsPort !== null) {
      const settings = { variable: 'OPERATIONS_PORT', host, port: operationsPort } as const;
      await naming(settings, () => operations.listen(address, operationsPort));
      logger.info({ host, port: operations.port }, 'The HTTP server of /api, /metrics and /health listens');
    }
    if (operationsToken === null) logger.info('The operations API is off, because OPERATIONS_TOKEN is not set');
  }

  async #stop(): Promise<void> {
    this.#health.setPhase('stopping');
    const deadline = new StopDeadline({
      limitMs: this.#timings.shutdownMs,
      steps: this.#steps,
      logger: this.#options.logger,
    });
    this.#deadline = deadline;
    await deadline.step('http', (limitMs) => closeHttp(this.#servers, limitMs));
    await this.#sequence.stop(deadline);
    await deadline.step('nest', () => this.app.close());
    await deadline.step('traces', (limitMs) => this.#endTraces(Math.min(LAST_SPANS_MS, limitMs / 2)));
  }

  async #endTraces(limitMs: number): Promise<void> {
    if (this.#tracer === null) return;
    tracing.use(null);
    await settlesWithin(limitMs, this.#tracer.stop());
  }
}

/** The SDK is loaded only for traces. */
async function tracerOf({ name, config, logger }: AppOptions, version: string): Promise<Tracer | null> {
  if (config.tracing === undefined || config.tracing === null) return null;
  const { otlpTracer } = await import('../tracing/otlp-tracer.ts');
  const tracer = await otlpTracer(config.tracing, version, logger);
  tracing.use(tracer);
  logger.info({ host: new URL(config.tracing.url).host }, `Traces of ${name} are sent to a collector`);
  return tracer;
}

/** Names the setting that made listening fail. */
async function naming<T>(settings: ListenSettings, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    throw listenRefusal(settings, error);
  }
}

/** Shows when each task last ran: rows that no sweep deletes grow without an error. */
function showTasks(registry: Registry, startables: readonly Startable[]): void {
  const tasks = startables.filter((startable) => startable instanceof RepeatingTask);
  const gauge = {
    name: 'gondola_task_last_run_timestamp_seconds',
    help: 'End of the last run of a repeated task that did not fail, in seconds since 1970; absent before it',
    labelNames: ['task'],
  };
  collectedGauge(registry, gauge, async () =>
    tasks.flatMap(({ name: task, lastRunMs }) =>
      lastRunMs === null ? [] : [{ labels: { task }, value: lastRunMs / MS_PER_SECOND }],
    ),
  );
}

function watchDatabase(health: Health, database: Database, inBackground: boolean): void {
  health.register('database', () => database.isUp(), { required: !inBackground });
}

function allStartables(options: AppOptions, app: NestFastifyApplication): Startable[] {
  const { database, databaseInBackground: background = false } = options;
  const startables: Startable[] = [];
  if (database !== undefined) {
    startables.push({
      name: 'database',
      background,
      retriesEveryFailure: background,
      start: () => database.connect(),
      stop: () => database.close(),
    });
  }
  startables.push(...startablesOf(app), ...(options.startables?.(app) ?? []));
  if (options.microservice !== undefined) {
    const strategy = options.microservice(app);
    app.connectMicroservice({ strategy }, { inheritAppConfig: true });
    startables.push({
      name: 'consumers',
      ...(strategy.waitsFor === undefined ? {} : { waitsFor: strategy.waitsFor }),
      start: async () => void (await app.startAllMicroservices()),
      stop: async () => void (await strategy.close()),
    });
  }
  return startables;
}
