import { type AppOptions, DEFAULT_TIMINGS } from './app-options.ts';
import { ConfigError, SettingError } from '../config/config.ts';
import { createApp, type RunningApp } from './create-app.ts';
import { MigrationsPendingError } from '../database/migrations.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { safeError } from '../logging/safe-error.ts';
import type { Logger } from '../logging/logger.ts';

/**
 * The whole life of an app's process; the only statement of a `main.ts`:
 * `await runApp(() => { const config = loadConfig(process.env); return { … }; });`
 *
 * Boots the app (`createApp`). On SIGTERM or SIGINT it stops within ten seconds and exits with 0, or with 1 if a
 * startable did not stop in time; a second signal exits with 1 at once. `node dist/main.js migrate` only migrates.
 * An invalid configuration, or any other failure of the boot, is printed as readable lines on standard error, with
 * exit code 1.
 */
export async function runApp(source: AppOptions | (() => AppOptions | Promise<AppOptions>)): Promise<void> {
  try {
    const options = typeof source === 'function' ? await source() : source;
    const [command] = process.argv.slice(2);
    if (command === 'migrate') await migrateOnly(options);
    else if (command === undefined) await live(options);
    else
      throw new ConfigError([
        { where: command, problem: 'esperado "migrate" ou nada / expected "migrate" or nothing' },
      ]);
  } catch (error) {
    process.stderr.write(`${readable(error)}\n`);
    process.exit(1);
  }
}

async function migrateOnly({ name, database, logger }: AppOptions): Promise<void> {
  if (database === undefined) return;
  const migrations = await database.migrate();
  logger.info(
    { schema: database.schema, migrations, count: migrations.length },
    `The database of ${name} was migrated`,
  );
}

async function live(options: AppOptions): Promise<void> {
  const { logger } = options;
  installCrashGuards(logger, (code) => process.exit(code));
  const creation = createApp(options);
  const stopped = stopOnSignal(options, creation);
  const running = await creation;
  giveBackMemory();
  const failed = running.failure.then(async (error) => {
    await running.stop();
    throw error;
  });
  await Promise.race([running.start().then(() => failed), failed, stopped]);
}

/** Never resolves: a signal leads to an exit. */
async function stopOnSignal(options: AppOptions, creation: Promise<RunningApp>): Promise<never> {
  const { logger } = options;
  const { shutdownMs } = { ...DEFAULT_TIMINGS, ...options.timings };
  const asked = Promise.withResolvers<NodeJS.Signals>();
  let signals = 0;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, (signal) => {
      signals += 1;
      if (signals > 1) process.exit(1);
      asked.resolve(signal);
    });
  }
  const signal = await asked.promise;
  logger.info({ signal }, 'The app stops');
  const tookTooLong = () => {
    logger.error({ timeoutMs: shutdownMs }, 'The app did not stop in time; the process ends');
    process.exit(1);
  };
  // `stop` observes the limit itself; this timer covers an app whose creation does not end.
  setTimeout(tookTooLong, shutdownMs);
  const running = await creation;
  await running.stop();
  if (running.leftBehind.length > 0) tookTooLong();
  logger.info('The app was stopped');
  process.exit(0);
}

/** Text for a person at a terminal: no stack, no secrets, no values of rows. */
function readable(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationsPendingError) return error.message;
  const couldNot = 'Não foi possível iniciar / Could not start';
  if (error instanceof SettingError) return `${couldNot}: ${error.message}`;
  const { name, code, message } = safeError(error);
  return `${couldNot}: ${code ?? name}: ${message}`;
}

/**
 * After an uncaught error the process is in an unknown state: the error is logged and the process exits with code
 * 1. Open work is protected by leases, offsets and transactions. Warnings of Node.js are logged too, so that every
 * line of the log is JSON.
 */
function installCrashGuards(logger: Logger, exit: (code: number) => never): void {
  const die = (what: string) => (err: unknown) => {
    logger.fatal({ err }, what);
    exit(1);
  };
  // Node would write its warnings to standard error as plain text.
  process.removeAllListeners('warning');
  process.on('warning', (err) => logger.warn({ err }, 'Node.js gave a warning'));
  process.on('uncaughtException', die('An exception was not caught; the process ends'));
  process.on('unhandledRejection', die('A rejection was not handled; the process ends'));
}
