// npm run readme: pastes the output of a run of the demo into the README.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportFailure, Reporter } from './play/reporter.ts';
import { freshRun } from './play/fresh-run.ts';
import { ROOT } from './play/gondola.ts';
import { playLoop } from './play/loop.ts';
import { withOutput } from './play/readme-output.ts';

const file = join(ROOT, 'README.md');
const reporter = new Reporter(process.stdout);
try {
  await freshRun(
    { reporter, logDir: join(ROOT, '.gondola/logs/demo'), external: {}, stepTimeoutMs: 60_000 },
    ({ context }) => playLoop(context),
  );
  await writeFile(file, withOutput(await readFile(file, 'utf8'), reporter.lines));
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
