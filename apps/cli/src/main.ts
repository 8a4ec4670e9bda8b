import { EXIT } from './output/report.ts';
import { run } from './run.ts';

// `gondola … | head` closes the output early, which is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  const { stdout, stderr, exit } = await run({
    args: process.argv.slice(2),
    env: process.env,
    folder: process.cwd(),
    width: process.stdout.isTTY ? process.stdout.columns : null,
    live: {
      write: (text) => void process.stderr.write(text),
      width: process.stderr.isTTY ? process.stderr.columns : null,
    },
  });
  process.stderr.write(stderr);
  process.stdout.write(stdout);
  process.exitCode = exit;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`gondola: erro interno / internal error: ${message}\n`);
  process.exitCode = EXIT.failed;
}
