// Starts everything: Kafka and PostgreSQL, the sandbox, each app as a separate process, and a plain ERP.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILE_CACHE_FOLDER } from '@gondola/local-stack/cache-folders';
import { freePort } from '@gondola/local-stack/free-port';
import { type LocalStack, startLocalStack, USUAL_PORTS } from '@gondola/local-stack/local-stack';
import { privateFolder, writePrivately } from '@gondola/local-stack/private-files';
import { Erp } from '../erp/erp.ts';
import { type ExternalServers, reachExternalServers } from './external-servers.ts';
import { choosePorts, type Ports } from './ports.ts';
import type { Reporter } from './reporter.ts';
import { SandboxClient } from './sandbox-client.ts';
import type { DemoContext } from './step.ts';
import {
  operationsTokenIn,
  secretsOf,
  secretVariables,
  shopCredentials,
  TENANT,
  type TenantSections,
  writeTenantsFile,
} from './settings.ts';
import { type AppPlan, Supervisor } from './supervisor.ts';
import { CatalogOperations, OrderOperations, Uploads } from './gondola-client.ts';
import { OperationsApi } from './operations-api.ts';

export const ROOT = join(import.meta.dirname, '../..');

export const APPS = [
  'platform-sandbox',
  'webhook-ingest',
  'catalog-publisher',
  'order-command-handler',
  'file-gateway',
  'console',
] as const;
export type AppName = (typeof APPS)[number];

/** On one machine another process can take over from a killed app sooner than over a network. */
export const TAKEN_OVER_WITHIN_SECONDS = {
  KAFKA_SESSION_MS: '6000',
  LANE_LEASE_MS: '5000',
  PLATFORM_TIMEOUT_MS: '4000',
  PLATFORM_UPLOAD_TIMEOUT_MS: '4000',
  LOST_ANSWER_MS: '1000',
};

const LINK_SECRET_BYTES = 32;

export interface GondolaOptions {
  reporter: Reporter;
  /** Folder with data, secrets and the tenants file. */
  dir: string;
  logDir: string;
  /** Data survive a stop and are reused at the next start, on the usual ports. */
  lasting: boolean;
  external: ExternalServers;
  /** Prefix of topics, groups and schemas on shared servers. */
  prefix: string;
  stepTimeoutMs: number;
  onGivenUp: (sentence: string) => void;
  /** Sections of the merchant in the tenants file that replace the demo's; `platform` is merged into it. */
  tenant?: TenantSections;
  /** Variables of the apps, except the sandbox, that replace the demo's. */
  env?: Record<string, string>;
  /** Variables of one app alone, which replace all others. */
  envOf?: (app: AppName) => Record<string, string>;
}

export interface Gondola {
  context: DemoContext;
  /** Prefix of every topic's name. */
  prefix: string;
  supervisor: Supervisor;
  stack: LocalStack;
  urls: Record<AppName, string>;
  /** Variables that an ERP has to know. */
  erpEnvironment: Record<string, string>;
  /** File with the token of every app's operations API. */
  operationsTokenFile: string;
  /** Address of the console that signs in once; it is shown to the user and written nowhere. */
  consoleLink: string;
  /** Stops the ERP and the apps, but not the servers. */
  stopApps(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts everything and returns when all apps are ready. After a failure, everything started before is stopped
 * again.
 */
export async function bringUp(options: GondolaOptions): Promise<Gondola> {
  const { reporter, dir, logDir, external } = options;
  await mkdir(dir, { recursive: true });
  await privateFolder(logDir);
  // Holds notifications while PostgreSQL is away.
  await privateFolder(join(dir, 'spool'));
  const undo: (() => Promise<void>)[] = [];
  const undoDownTo = async (left: number) => {
    for (const step of undo.splice(left).toReversed()) await step();
  };
  const stop = () => undoDownTo(0);
  try {
    const startedAt = performance.now();
    await reachExternalServers(external);
    const starting = startLocalStack({
      external,
      ...(options.lasting && { dir, usualPorts: USUAL_PORTS }),
      onProgress: (line) => reporter.note(line),
    });
    const [started, built] = await Promise.allSettled([starting, build(logDir)]);
    if (started.status === 'fulfilled') undo.push(() => started.value.stop());
    else throw started.reason;
    if (built.status === 'rejected') throw built.reason;
    const stack = started.value;
    const secrets = await secretsOf(dir);
    const operationsTokenFile = join(dir, 'operations-token');
    const operationsToken = await operationsTokenIn(operationsTokenFile);
    const ports = await choosePorts(
      APPS,
      options.lasting ? { file: join(dir, 'ports.json'), say: (line) => reporter.note(line) } : freePort,
    );
    const urls = Object.fromEntries(APPS.map((name) => [name, `http://127.0.0.1:${ports[name]}`])) as Record<
      AppName,
      string
    >;
    const supervisor = new Supervisor({ onRestart: (line) => reporter.note(line), onGivenUp: options.onGivenUp });
    undo.push(() => supervisor.stopAll());
    const tenantsFile = await writeTenantsFile(dir, urls['platform-sandbox'], options.tenant);
    const linkSecret = randomBytes(LINK_SECRET_BYTES).toString('base64url');
    const plans = plan({
      ...options,
      linkSecret,
      ports,
      stack,
      tenantsFile,
      operationsToken,
      secretsEnv: secretVariables(secrets),
      urls,
    });
    await Promise.all(plans.map((app) => supervisor.start(app)));
    const erp = new Erp(
      stack.kafkaBrokers.split(','),
      options.prefix,
      `${options.prefix}erp-${process.pid}-${Date.now()}`,
    );
    await erp.connect();
    undo.push(() => erp.disconnect());
    reporter.step('local stack', `Kafka, PostgreSQL and ${APPS.length} apps are ready`, performance.now() - startedAt);
    const context = {
      erp,
      reporter,
      orders: new OrderOperations(new OperationsApi(urls['order-command-handler'], operationsToken)),
      catalog: new CatalogOperations(new OperationsApi(urls['catalog-publisher'], operationsToken), TENANT),
      shop: new SandboxClient(urls['platform-sandbox'], shopCredentials(secrets), operationsToken),
      uploads: new Uploads(urls['file-gateway'], secrets.uploadToken),
      webhookUrl: `${urls['webhook-ingest']}/webhooks/platform`,
      ingest: new OperationsApi(urls['webhook-ingest'], operationsToken),
      stepTimeoutMs: options.stepTimeoutMs,
    };
    const erpEnvironment = {
      KAFKA_BROKERS: stack.kafkaBrokers,
      TOPIC_PREFIX: options.prefix,
      UPLOADS_URL: urls['file-gateway'],
      UPLOAD_TOKEN: secrets.uploadToken,
    };
    return {
      context,
      prefix: options.prefix,
      supervisor,
      stack,
      urls,
      erpEnvironment,
      operationsTokenFile,
      consoleLink: `${urls.console}/#link=${linkSecret}`,
      stopApps: () => undoDownTo(1),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Plan extends GondolaOptions {
  ports: Ports<AppName>;
  stack: LocalStack;
  tenantsFile: string;
  operationsToken: string;
  linkSecret: string;
  secretsEnv: Record<string, string>;
  urls: Record<AppName, string>;
}

function plan(all: Plan): AppPlan[] {
  const { ports, stack, tenantsFile, operationsToken, linkSecret, secretsEnv, urls, logDir, prefix, dir } = all;
  return APPS.map((name) => {
    const common = {
      HTTP_PORT: String(ports[name]),
      // Node.js stores compiled code there for the next start of an app, which saves a fifth of the work.
      NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER,
      OPERATIONS_TOKEN: operationsToken,
      LOG_LEVEL: 'info',
    };
    const database = { DATABASE_URL: stack.databaseUrl, DATABASE_SCHEMA: schemaOf(prefix, name) };
    const connected = {
      ...secretsEnv,
      ...database,
      KAFKA_BROKERS: stack.kafkaBrokers,
      TOPIC_PREFIX: prefix,
      TOPIC_PARTITIONS: '3',
      TENANTS_FILE: tenantsFile,
      ...TAKEN_OVER_WITHIN_SECONDS,
      ...all.env,
    };
    const ofConsole = {
      ...database,
      TENANTS_FILE: tenantsFile,
      CONSOLE_LINK_SECRET: linkSecret,
      GONDOLA_WEBHOOK_INGEST_URL: urls['webhook-ingest'],
      GONDOLA_FILE_GATEWAY_URL: urls['file-gateway'],
      GONDOLA_ORDER_COMMAND_HANDLER_URL: urls['order-command-handler'],
      GONDOLA_CATALOG_PUBLISHER_URL: urls['catalog-publisher'],
    };
    const ofSandbox = { DATA_DIR: join(dir, name) };
    const env = {
      ...common,
      ...(name === 'console' ? ofConsole : name === 'platform-sandbox' ? ofSandbox : connected),
      ...(name === 'webhook-ingest' && { SPOOL_DIR: join(dir, 'spool') }),
      ...all.envOf?.(name),
    };
    return { name, cwd: join(ROOT, 'apps', name), env, url: urls[name], logFile: join(logDir, `${name}.log`) };
  });
}

/** Schema of an app: its name with underscores, after the prefix on shared servers. */
export function schemaOf(prefix: string, app: AppName): string {
  return `${prefix}${app}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

async function build(logDir: string): Promise<void> {
  const logFile = join(logDir, 'build.log');
  const log = await open(logFile, 'w');
  const turbo = join(ROOT, 'node_modules/turbo/bin/turbo');
  const child = spawn(process.execPath, [turbo, 'run', 'build', '--filter=./apps/*'], {
    cwd: ROOT,
    stdio: ['ignore', log.fd, log.fd],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  await log.close();
  if (code !== 0) throw new Error(`The build failed; what it printed is in ${logFile}`);
}

/**
 * Writes all addresses, and the path of the file with the operations token, for other programs of the same user.
 */
export async function writeAddresses(file: string, gondola: Gondola): Promise<void> {
  const { stack, urls, operationsTokenFile } = gondola;
  const database = new URL(stack.databaseUrl);
  database.password = '';
  const content = {
    pid: process.pid,
    kafka: stack.kafkaBrokers,
    postgres: database.href,
    operationsTokenFile,
    ...urls,
  };
  await writePrivately(file, `${JSON.stringify(content, null, 2)}\n`);
}
