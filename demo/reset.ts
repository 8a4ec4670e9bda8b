// npm run reset: deletes the data of npm start.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eraseLocalStack } from '@gondola/local-stack/local-stack';
import { claimFolder } from '@gondola/local-stack/run-record';
import { reportFailure } from './play/reporter.ts';
import { ROOT } from './play/gondola.ts';

const home = join(ROOT, '.gondola');
try {
  await claimFolder(join(home, 'start'));
  await eraseLocalStack(join(home, 'data'));
  for (const folder of ['data', 'logs', 'start', 'run.json'])
    await rm(join(home, folder), { recursive: true, force: true });
  process.stdout.write('The data of npm start are cleared.\n');
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
