/**
 * `npm run sandbox`: the built sandbox, with its own PostgreSQL unless `DATABASE_URL` names one. No Kafka. Runs
 * until Ctrl-C.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { startPostgres } from '@gondola/local-stack/postgres';

const HOME = join(import.meta.dirname, '../../.gondola/sandbox');
const LOG = join(HOME, 'sandbox.log');
const DEFAULT_PORT = '8090';

const undo: (() => Promise<unknown>)[] = [];
let ending: Promise<void> | undefined;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Stops everything in reverse order, once, however often it is called. */
async function end(exitCode: number): Promise<void> {
  ending ??= (async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  })();
  await ending;
  process.exit(exitCode);
}

function given(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

async function databaseUrl(): Promise<Record<string, string>> {
  if (process.env['DATABASE_URL'] || process.env['DATABASE_URL_FILE']) return {};
  const postgres = await startPostgres({ dataDir: join(HOME, 'postgres'), log: say });
  undo.push(() => postgres.stop());
  say(`PostgreSQL listens on ${new URL(postgres.url).host}; its data stay in .gondola/sandbox`);
  return { DATABASE_URL: postgres.url };
}

async function endWith(app: ChildApp): Promise<void> {
  await app.exited;
  if (ending) return;
  say(`The sandbox has ended by itself; why, says ${LOG}`);
  await end(1);
}

try {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  await mkdir(HOME, { recursive: true });
  const port = process.env['HTTP_PORT'] ?? DEFAULT_PORT;
  const url = `http://127.0.0.1:${port}`;
  const app = await startChildApp({
    name: 'platform-sandbox',
    args: ['dist/main.js'],
    cwd: import.meta.dirname,
    env: { ...given(), ...(await databaseUrl()), HTTP_PORT: port },
    logFile: LOG,
    readyUrl: `${url}/health/ready`,
  });
  undo.push(() => app.stop());
  void endWith(app);
  say(`The sandbox of the shop platform: ${url}`);
  say(`  its routes, and how to play the shopper     ${url}/admin/openapi.json`);
  say(`  a merchant     curl ${url}/admin/tenants -H 'content-type: application/json' \\`);
  say(
    `    -d '{"contractAccountId":"11111111-1111-4111-8111-111111111111","username":"erp","password":"erp","apiKey":"key"}'`,
  );
  say('  its log        .gondola/sandbox/sandbox.log');
  say('Running until Ctrl-C.');
} catch (error) {
  const sentences: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) sentences.push(cause.message);
  process.stderr.write(`${sentences.length > 0 ? sentences.join(': ') : String(error)}\n`);
  await end(1);
}
