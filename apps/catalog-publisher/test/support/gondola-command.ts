import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';

const GONDOLA = join(import.meta.dirname, '../../../cli/bin/gondola.js');

/** Result of a command that ended by itself; `exit` is null after a signal. */
interface EndedCommand {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a process of its own, with the operations token and the address of the app, in English. */
export function gondola(
  url: string,
  ...args: readonly string[]
): { kill(signal: NodeJS.Signals): void; readonly ended: Promise<EndedCommand> } {
  const env = {
    ...hostEnvironment(),
    LANG: 'en_US.UTF-8',
    OPERATIONS_TOKEN: TEST_OPERATIONS_TOKEN,
    GONDOLA_CATALOG_PUBLISHER_URL: url,
  };
  const child = spawn(process.execPath, [...SOURCES, GONDOLA, ...args], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([exit, stdout, stderr]) => ({
    exit,
    stdout,
    stderr,
  }));
  return { kill: (signal) => void child.kill(signal), ended };
}
