import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const APP = join(import.meta.dirname, '..');
const MODULES = join(APP, '../../node_modules');
/** Packages of this repository that the packed sandbox may use. */
const DEPENDENCIES = ['@fastify', 'big.js', 'fastify', 'pino', 'ssh2', 'zod'];

describe('the packed sandbox, in an empty folder', () => {
  let folder: string;
  let process_: ChildProcess | undefined;
  let printed = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-packed-'));
    await run('npm', ['run', 'build'], { cwd: APP });
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: APP });
    const [archive = ''] = await readdir(folder);
    const installed = join(folder, 'node_modules/@gondola');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', join(folder, archive), '-C', installed]);
    await rename(join(installed, 'package'), join(installed, 'platform-sandbox'));
    // Where a registry would install them: no network in tests.
    for (const name of DEPENDENCIES) await symlink(join(MODULES, name), join(folder, 'node_modules', name));
  });
  afterAll(async () => {
    process_?.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  it('starts alone, opens a shop, shows its page, and prints calls that work', async () => {
    const main = join(folder, 'node_modules/@gondola/platform-sandbox/dist/main.js');
    process_ = spawn(process.execPath, [main, '--demo', '--port', '0', '--data', join(folder, 'data')], {
      cwd: folder,
    });
    process_.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    process_.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    await waitFor(() => printed.includes('Running until Ctrl-C'), { describe: 'the printed calls' });
    const calls = printed.split('\n').filter((line) => line.startsWith('  curl '));
    expect(calls).toHaveLength(3);
    const [url = ''] = /http:\S+/.exec(printed) ?? [];
    expect(await (await fetch(url)).text()).toContain('<script type="module"');
    const answers: string[] = [];
    for (const call of calls) answers.push((await run('sh', ['-c', call])).stdout);
    expect(answers[0]).toBe('{"status":300}');
    expect(JSON.parse(answers[1] ?? '')).toEqual({ operationId: expect.any(String) });
    expect(JSON.parse(answers[2] ?? '')).toEqual({ number: expect.any(Number), id: expect.any(String) });
  });

  const hasPython = process.env['CI'] !== undefined || spawnSync('python3', ['-c', '']).status === 0;
  const without = hasPython ? '' : ' (without python3: that in Python is not run)';

  it(`has helpers for tests that start it, and examples that pass with them${without}`, async () => {
    const installed = join(folder, 'node_modules/@gondola/platform-sandbox');
    await cp(join(installed, 'examples'), folder, { recursive: true });
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
    const options = { cwd: folder, env: { PATH, PYTHONPATH: join(installed, 'python') } };
    expect((await run(process.execPath, ['order.test.ts'], options)).stdout).toContain('pass 4');
    if (hasPython) await run('python3', ['-m', 'unittest', 'test_order'], options);
  });
});
