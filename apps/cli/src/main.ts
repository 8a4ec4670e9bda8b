import { EXIT } from './output/report.ts';
import { run } from './run.ts';

// `gondola … | head` ends the reader first, which is no trouble.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** To the beginning of the line, which is cleared: a terminal shows the newest progress alone. */
const LINE_START = '\r\u001B[K';

try {
  const { stdout, stderr, exit } = await run({
    args: process.argv.slice(2),
    env: process.env,
    folder: process.cwd(),
    width: process.stdout.isTTY ? process.stdout.columns : null,
    ...(process.stderr.isTTY && { progress: (line) => void process.stderr.write(`${LINE_START}${line}`) }),
  });
  if (process.stderr.isTTY) process.stderr.write(LINE_START);
  process.stderr.write(stderr);
  process.stdout.write(stdout);
  process.exitCode = exit;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`gondola: erro interno / internal error: ${message}\n`);
  process.exitCode = EXIT.failed;
}
