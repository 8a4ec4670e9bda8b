// An example ERP as a process: its requirements, and its output.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { waitFor } from '@gondola/local-stack/wait-for';
import { ROOT } from '../../play/gondola.ts';

const run = promisify(execFile);

/** Printed invoice that the examples attach. */
export const DANFE = join(ROOT, 'examples/danfe.pdf');

export interface Language {
  readonly name: string;
  /** References of the products that it loads. */
  readonly products: readonly string[];
  /** Software that must be installed, and the call that checks for it. */
  readonly needs: string;
  readonly check: readonly [command: string, ...args: string[]];
  /** Fetches the libraries; each call runs in `folder`. */
  readonly build: readonly (readonly [command: string, ...args: string[]])[];
  readonly folder: string;
  readonly start: readonly [command: string, ...args: string[]];
}

const PYTHON = join(ROOT, 'examples/erp-python');
const VENV = join(ROOT, '.gondola/erp-python');
const JAVA = join(ROOT, 'examples/erp-java');

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    products: ['PY-1', 'PY-2'],
    needs: 'Python 3.9 with venv (Debian and Ubuntu: apt install python3 python3-venv)',
    check: ['python3', '-c', 'import ensurepip, sqlite3, venv'],
    build: [
      ['python3', '-m', 'venv', VENV],
      [join(VENV, 'bin/pip'), 'install', '-q', '--only-binary=:all:', '-r', 'requirements.txt'],
    ],
    folder: PYTHON,
    start: [join(VENV, 'bin/python'), 'erp.py'],
  },
  {
    name: 'Java',
    products: ['JV-1', 'JV-2'],
    needs: 'a JDK 17 and Maven (Debian and Ubuntu: apt install openjdk-17-jdk-headless maven)',
    check: ['sh', '-c', 'javac -version && mvn -v'],
    build: [['mvn', '-q', '-B', 'compile', 'dependency:copy-dependencies']],
    folder: JAVA,
    start: ['java', '-cp', `${join(JAVA, 'target/classes')}:${join(JAVA, 'target/dependency')}/*`, 'Erp'],
  },
];

export async function isInstalled({ check: [command, ...args] }: Language): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

export async function build({ build: calls, folder }: Language): Promise<void> {
  for (const [command, ...args] of calls) await run(command, args, { cwd: folder });
}

/** One start of an example; `lines` is its output so far. */
export class Example {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ start: [command, ...args], folder }: Language, env: Readonly<Record<string, string>>) {
    this.#child = spawn(command, args, { cwd: folder, env: { ...hostEnvironment(), ...env } });
    this.#ended = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      let rest = '';
      stream?.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n');
        rest = parts.pop() ?? '';
        this.lines.push(...parts);
      });
    }
  }

  /** Waits for a condition while the example runs; rejects with its output if it exits before or takes too long. */
  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const given = await waitFor(
      async () => {
        if (await holds()) return 'holds';
        return this.#child.exitCode === null ? null : 'ended';
      },
      { describe: what },
    ).catch((error: unknown) => String(error));
    if (given !== 'holds') throw new Error(`${what}: ${given}. It said:\n${this.lines.join('\n')}`);
  }

  async says(line: string | RegExp): Promise<void> {
    const isSaid = (each: string) => (typeof line === 'string' ? each === line : line.test(each));
    await this.until(`it says ${line}`, () => this.lines.some(isSaid));
  }

  /** Returns its exit code; null if a signal killed it. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#child.kill(signal);
    await this.#ended;
    return this.#child.exitCode;
  }
}
