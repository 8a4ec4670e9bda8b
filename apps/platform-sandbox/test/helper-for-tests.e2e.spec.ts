import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const APP = join(import.meta.dirname, '..');
const ENV = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  NODE_OPTIONS:
    '--conditions=gondola-source --import=@gondola/local-stack/swc-hooks --disable-warning=ExperimentalWarning',
  GONDOLA_SANDBOX: join(APP, 'src/main.ts'),
  PYTHONPATH: join(APP, 'python'),
  PYTHONDONTWRITEBYTECODE: '1',
};
const hasPython = process.env['CI'] !== undefined || spawnSync('python3', ['-c', '']).status === 0;
const inPython = hasPython ? it : it.skip;

function printed(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: join(APP, 'examples'),
    env: ENV,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}exit code ${status}`;
}

function runsInPython(): void {
  expect(printed('python3', '-m', 'unittest', 'test_order')).toMatch(/Ran 3 tests[^]*exit code 0$/);
}

describe('the helper for tests', () => {
  it('runs its example in TypeScript', () => {
    expect(printed(process.execPath, 'order.test.ts')).toMatch(/pass 3\n[^]*exit code 0$/);
  });

  inPython(
    `runs its example in Python${hasPython ? '' : ' (not run here: needs python3, 3.9 or newer)'}`,
    runsInPython,
  );
});
