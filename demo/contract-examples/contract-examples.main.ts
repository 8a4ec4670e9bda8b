// npm run contract:examples: plays the demo's day and what it does not show, and writes an example of
// each record into docs/contract/examples. Two runs write the same files.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readByContract } from '@gondola/messaging/testing/read-by-contract';
import { freshRun } from '../play/fresh-run.ts';
import { ROOT } from '../play/gondola.ts';
import { playLoop } from '../play/loop.ts';
import { reportFailure, Reporter } from '../play/reporter.ts';
import { AS_STORED } from './as-stored.ts';
import { examplesOf } from './examples-of.ts';
import { playFurther } from './further-plays.ts';

const FOLDER = join(ROOT, 'docs/contract/examples');

try {
  const options = {
    reporter: new Reporter(process.stdout),
    logDir: join(ROOT, '.gondola/logs/contract-examples'),
    external: { kafkaBrokers: process.env['KAFKA_BROKERS'], databaseUrl: process.env['DATABASE_URL'] },
    stepTimeoutMs: 60_000,
  };
  await freshRun(options, async ({ context, prefix, stack }) => {
    await playLoop(context);
    await playFurther(context);
    const made = examplesOf(prefix, await readByContract(prefix, stack));
    const written = [...made].filter(([file]) => !Object.hasOwn(AS_STORED, file));
    await Promise.all(written.map(([file, text]) => writeFile(join(FOLDER, file), text)));
    const names = new Set(written.map(([file]) => file));
    const left = (await readdir(FOLDER)).filter((file) => !names.has(file) && !Object.hasOwn(AS_STORED, file));
    if (left.length > 0) throw new Error(`The run made no record for ${left.join(', ')}`);
    process.stdout.write(`${written.length} examples are written; now run npm run contract.\n`);
  });
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
