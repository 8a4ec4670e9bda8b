// Output of `npm start` and `npm run demo`: a line per step (topic or route, action, duration) and a bar for the
// load.
import { relative } from 'node:path';
import { SingleBar } from 'cli-progress';
import pc from 'picocolors';

/** The output: a terminal, a pipe, or nothing. */
type Out = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

const WHERE_WIDTH = 26;
const WHAT_WIDTH = 92;

export class Reporter {
  /** The lines written so far, without colours, from which the README's output is made. */
  readonly lines: string[] = [];
  private readonly out: Out;

  constructor(out: Out) {
    this.out = out;
  }

  say(text = ''): void {
    this.lines.push(text);
    this.out.write(`${text}\n`);
  }

  /** Reports one successful step. */
  step(where: string, what: string, ms: number): void {
    const line = `✓ ${where.padEnd(WHERE_WIDTH)} ${what.padEnd(WHAT_WIDTH)} ${duration(ms)}`;
    this.lines.push(line);
    this.out.write(`${pc.green('✓')}${line.slice(1)}\n`);
  }

  failed(where: string, why: string): void {
    this.lines.push(`✗ ${where} ${why}`);
    this.out.write(`${pc.red('✗')} ${where.padEnd(WHERE_WIDTH)} ${why}\n`);
  }

  note(text: string): void {
    this.lines.push(`  ${text}`);
    this.out.write(`  ${pc.dim(text)}\n`);
  }

  /** A bar on a terminal; elsewhere (a log, a pipe) nothing, because the step's line shows the outcome. */
  bar(total: number, unit: string): { at(value: number): void; end(): void } {
    if (!this.out.isTTY) return { at: () => undefined, end: () => undefined };
    const bar = new SingleBar({
      format: `  {bar} {value}/{total} ${unit}`,
      clearOnComplete: true,
      stream: process.stdout,
    });
    bar.start(total, 0);
    return { at: (value) => bar.update(value), end: () => bar.stop() };
  }
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

interface Running {
  readonly kafka: string;
  /** Host and port, without credentials. */
  readonly postgres: string;
  readonly urls: Readonly<Record<string, string>>;
  readonly consoleLink: string;
  /** File with all addresses, and folder of the logs. */
  readonly addressesFile: string;
  readonly logDir: string;
}

/** Last lines of `npm start`, printed once all runs. Paths below the working folder are relative to it. */
export function runningLines(
  { kafka, postgres, urls, consoleLink, addressesFile, logDir }: Running,
  workingDir: string,
): string[] {
  const shown = (path: string) => (path.startsWith(`${workingDir}/`) ? relative(workingDir, path) : path);
  const named = { Kafka: kafka, PostgreSQL: postgres, ...urls };
  return [
    'Running until Ctrl-C:',
    ...Object.entries(named).map(([name, address]) => `  ${name.padEnd(22)} ${address}`),
    `  also in ${shown(addressesFile)}; logs in ${shown(logDir)}`,
    `The console, which this link signs in once: ${consoleLink}`,
  ];
}

/**
 * Writes a failure to standard error in one sentence, with the tail of a log if there is one, without a stack
 * trace.
 */
export function reportFailure(error: unknown): void {
  const sentences: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) sentences.push(cause.message);
  process.stderr.write(`${sentences.length > 0 ? sentences.join(': ') : String(error)}\n`);
}
