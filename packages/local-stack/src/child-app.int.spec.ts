import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ChildAppOptions, startChildApp } from './child-app.ts';
import { freePort } from './free-port.ts';
import { startOf } from './process-table.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

describe('an app as a child process', () => {
  it('starts until it is ready, without the environment of its parent, and ends on SIGTERM', async () => {
    await using folder = await temporaryFolder();
    process.env['GREETING'] = 'from the developer';
    const app = await startChildApp(await options(folder.path, { READY: 'yes' }));
    expect(await app.stop()).toEqual({ code: null, signal: 'SIGTERM' });
    expect(await readFile(join(folder.path, 'app.log'), 'utf8')).toBe('undefined\n');
    delete process.env['GREETING'];
  });

  it('is killed if SIGTERM does not end it in time', async () => {
    await using folder = await temporaryFolder();
    const app = await startChildApp(await options(folder.path, { READY: 'yes', DEAF: 'yes' }));
    expect(await app.stop(50)).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('answers nothing while it is frozen', async () => {
    await using folder = await temporaryFolder();
    const all = await options(folder.path, { READY: 'yes' });
    const app = await startChildApp(all);
    app.freeze();
    await expect(fetch(all.readyUrl, { signal: AbortSignal.timeout(200) })).rejects.toThrow(/timeout/);
    app.thaw();
    expect((await fetch(all.readyUrl)).status).toBe(200);
    await app.kill();
    expect(startOf(app.pid)).toBeUndefined();
  });

  it('fails with its log if it ends or takes too long before it is ready', async () => {
    await using folder = await temporaryFolder();
    await expect(
      startChildApp(await options(folder.path, { READY: 'crash', GREETING: 'no tenants' })),
    ).rejects.toMatchObject({
      code: 'SERVER_FAILED',
      message: 'small-app ended on starting; its log ends:\nno tenants',
    });
    // Longer than a busy machine takes to start a shell, whose line has to be in the log.
    const readyTimeoutMs = 5_000;
    const waking = { command: '/bin/sh', args: ['-c', 'echo still waking; exec sleep 600'], readyTimeoutMs };
    const slow = { ...(await options(folder.path, {})), ...waking };
    await expect(startChildApp(slow)).rejects.toMatchObject({
      code: 'START_TIMEOUT',
      message: 'small-app is not ready in time; its log ends:\nstill waking',
    });
  });
});

async function options(folder: string, env: Record<string, string>): Promise<ChildAppOptions> {
  const port = await freePort();
  return {
    name: 'small-app',
    args: [join(import.meta.dirname, 'testing', 'small-app.ts')],
    cwd: folder,
    env: { ...env, PORT: String(port) },
    logFile: join(folder, 'app.log'),
    readyUrl: `http://127.0.0.1:${port}/health/ready`,
  };
}
