import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { PASSWORD, PLATFORM_FAULTS, startBadPlatform } from './conformance/bad-platform.ts';
import { conformance, gondola } from './conformance/conformance.ts';

describe('gondola conformance platform', () => {
  let sandbox: TestSandbox;
  const env = { GONDOLA_PLATFORM_PASSWORD: PASSWORD };

  beforeAll(async () => {
    sandbox = await TestSandbox.start('conformance');
  });
  afterAll(() => sandbox.close());

  async function shop(): Promise<string[]> {
    const contractAccountId = randomUUID();
    await sandbox.open({ contractAccountId, username: 'erp', password: PASSWORD });
    return ['platform', '--account', contractAccountId, '--user', 'erp'];
  }

  it('finds no fault in the sandbox, and says what it did not ask', async () => {
    const listen = ['--listen', `127.0.0.1:${await freePort()}`];
    const args = [...(await shop()), '--url', sandbox.url];
    const seen = await conformance([...args, ...listen], env);
    expect(seen).toMatchObject({ exit: 0, failed: [], skipped: [] });
    expect(seen.held).toBeGreaterThan(100);
    expect(seen.notAsked).toBeGreaterThan(400);
    // The second run of a shop, whose webhook nothing removes.
    const again = await conformance(args, env);
    expect(again).toMatchObject({ exit: 0, failed: [] });
    expect(again.skipped.length + again.held).toBe(seen.held);
  });

  it('finds each planted fault, and nothing else', async () => {
    const bad = await startBadPlatform(sandbox.url, PLATFORM_FAULTS);
    try {
      const listen = ['--listen', `127.0.0.1:${await freePort()}`];
      const seen = await conformance([...(await shop()), ...listen, '--url', bad.url], env);
      expect([seen.exit, seen.failed.toSorted()]).toEqual([
        1,
        PLATFORM_FAULTS.flatMap(({ breaks }) => breaks).toSorted(),
      ]);
    } finally {
      await bad.stop();
    }
  });

  it('refuses what it cannot use in one sentence, and begins nothing', async () => {
    const [platform, ...login] = await shop();
    const args = [platform!, ...login, '--confirm', '--url'];
    const away = `http://127.0.0.1:${await freePort()}`;
    const closed = await gondola([...args, away], env);
    expect(closed).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('does not answer') });
    const refused = await gondola([...args, sandbox.url], { GONDOLA_PLATFORM_PASSWORD: 'wrong' });
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringMatching(/refuses .*HTTP 401/) });
    expect(await gondola([...args, sandbox.url])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('GONDOLA_PLATFORM_PASSWORD is missing'),
    });
    const odd = await gondola([...args, sandbox.url, '--prefix', 'a b'], env);
    expect(odd).toMatchObject({ exit: 2, stderr: expect.stringContaining('"a b"') });
    const unwritable = await gondola([...args, sandbox.url, '--junit', '/none/a.xml'], env);
    expect(unwritable).toMatchObject({ exit: 2, stderr: expect.stringContaining('ENOENT') });
    const plan = await gondola([platform!, ...login, '--url', sandbox.url], env);
    expect(plan).toMatchObject({ exit: 0, stdout: expect.stringContaining('repeat with --confirm') });
    for (const { stderr } of [closed, refused, odd, unwritable]) expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
