import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Sandbox } from '@gondola/platform-sandbox/testing';
import { Receiver } from './support/receiver.ts';

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
  expect(printed('python3', '-m', 'unittest', 'test_order')).toMatch(/Ran 4 tests[^]*exit code 0$/);
}

describe('the helper for tests', () => {
  it('runs its example in TypeScript', () => {
    expect(printed(process.execPath, 'order.test.ts')).toMatch(/pass 4\n[^]*exit code 0$/);
  });

  it('sends to a receiver of the test, and says what is still to come', async () => {
    process.env['NODE_OPTIONS'] = ENV.NODE_OPTIONS;
    const receiver = await Receiver.listen();
    const shop = await Sandbox.start({ receiver: receiver.url });
    try {
      await shop.seed({ products: 1, orders: 0 });
      await shop.call('POST', '/admin/faults', [{ kind: 'webhook-delay', ms: 600_000 }]);
      const order = await shop.buy({ items: [{ skuExternalReference: '1001-1', quantity: 1 }] });
      const wanted = { order, event: 'Order_Updated', timeoutMs: 0 };
      await expect(shop.waitForDelivery(wanted)).rejects.toThrow(/Order_Updated 300 of \d+ \(pending, due at 2\S+Z\)$/);
      await shop.advance('10m');
      await shop.call('POST', '/admin/idle', {});
      await shop.waitForDelivery(wanted);
      expect(receiver.envelopes('Order_Updated')).toMatchObject([{ data: { number: order.number, status: 300 } }]);
    } finally {
      await shop.stop();
      await receiver.close();
    }
    await expect(shop.call('GET', '/admin/clock')).rejects.toThrow('GET /admin/clock was not answered');
  });

  it('has examples whose lines the README shows', () => {
    const [readme = '', ...examples] = ['README.md', 'examples/order.test.ts', 'examples/test_order.py'].map((file) =>
      readFileSync(join(APP, file), 'utf8'),
    );
    const shown = Array.from(readme.matchAll(/```(?:typescript|python)\n([^]*?)```/g), ([, code = '']) => code);
    expect(shown.map((code) => examples.findIndex((example) => example.includes(code)))).toEqual([0, 1]);
  });

  inPython(
    `runs its example in Python${hasPython ? '' : ' (not run here: needs python3, 3.9 or newer)'}`,
    runsInPython,
  );
});
