// npm run demo: plays the loop on fresh data and stops everything. The exit code is 0 only if every step succeeded.
import { join } from 'node:path';
import { reportFailure, Reporter } from './play/reporter.ts';
import { freshRun } from './play/fresh-run.ts';
import { ROOT } from './play/gondola.ts';
import { playLoop } from './play/loop.ts';

try {
  await freshRun(
    {
      reporter: new Reporter(process.stdout),
      logDir: join(ROOT, '.gondola/logs/demo'),
      external: { kafkaBrokers: process.env['KAFKA_BROKERS'], databaseUrl: process.env['DATABASE_URL'] },
      stepTimeoutMs: 60_000,
    },
    ({ context }) => playLoop(context),
  );
  process.stdout.write('Each step held; everything is stopped.\n');
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
