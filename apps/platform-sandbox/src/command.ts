import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { loadConfig, type Environment, type SandboxConfig } from './config.ts';
import { showDemo } from './demo.ts';
import { createLogger } from './logger.ts';
import { Sandbox } from './sandbox.ts';
import { ConfigError } from './values/config-error.ts';

const USAGE = `platform-sandbox: a stand-in of the shop platform, in one process

  platform-sandbox [--port N] [--data DIR] [--demo]

  --port N     port of HTTP, 8090 by default; 0 takes a free one
  --data DIR   stores the state in this folder; without it the state is in memory and ends with the process
  --demo       opens a merchant, a shop with products by the unit and by weight, and a paid order

Everything else is set by environment variables: see README.md.
`;
/** Time for a stop, after which the process ends anyway. */
const STOP_MS = 10_000;

/** The command line. `migrate`, which earlier versions needed, has nothing to do. */
export async function runCommand(args: readonly string[], env: Environment): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        demo: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [command] = positionals;
    if (values.help) return void process.stdout.write(USAGE);
    if (command !== undefined && command !== 'migrate') {
      throw new ConfigError([{ where: command, problem: 'expected "migrate" or nothing' }]);
    }
    const { port, data, demo } = values;
    const config = loadConfig({
      ...env,
      ...(port !== undefined && { HTTP_PORT: port }),
      ...(data !== undefined && { DATA_DIR: data }),
      ...(demo && env['LOG_LEVEL'] === undefined && { LOG_LEVEL: 'warn' }),
    });
    const logger = createLogger(config.logLevel);
    if (command === 'migrate') return logger.info('There is nothing to migrate: the sandbox needs no database');
    await live(config, logger, demo);
  } catch (error) {
    process.stderr.write(`${readable(error)}\n`);
    process.exit(1);
  }
}

async function live(config: SandboxConfig, logger: Logger, demo: boolean): Promise<void> {
  if (config.namesDatabase) {
    const place = config.dataDir === null ? 'in memory' : `in ${config.dataDir}`;
    logger.warn(
      `DATABASE_URL and DATABASE_SCHEMA are not used: the state is ${place}; DATA_DIR is the folder that stores it`,
    );
  }
  guardCrashes(logger);
  const sandbox = new Sandbox(config, logger);
  const started = sandbox.start();
  let signals = 0;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      signals += 1;
      if (signals > 1) process.exit(1);
      setTimeout(() => process.exit(1), STOP_MS).unref();
      void started
        .catch(() => {})
        .then(() => sandbox.stop())
        .then(() => process.exit(0));
    });
  }
  await started;
  if (demo) process.stdout.write(await showDemo(sandbox));
}

function guardCrashes(logger: Logger): void {
  const die = (what: string) => (err: unknown) => {
    logger.fatal({ err }, what);
    process.exit(1);
  };
  process.removeAllListeners('warning');
  process.on('warning', (err) => logger.warn({ err }, 'Node.js gave a warning'));
  process.on('uncaughtException', die('An exception was not caught; the process ends'));
  process.on('unhandledRejection', die('A rejection was not handled; the process ends'));
}

/** Text for a person at a terminal: no stack. */
function readable(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port, message } = error as { code?: string; port?: number; message?: string };
  if (code === 'EADDRINUSE')
    return `Could not start: HTTP_PORT: port ${port} is in use already: free it, or set another one (EADDRINUSE)`;
  if (code === 'EACCES')
    return `Could not start: HTTP_PORT: this user may not open port ${port}: set 1024 or more (EACCES)`;
  return `Could not start: ${message ?? String(error)}`;
}
