import { describe, expect, it } from '@jest/globals';

interface Environment {
  setup(): Promise<void>;
  teardown(): Promise<void>;
  handleTestEvent(event: { name: string; timeout?: number | undefined }): void;
}

const changed = () => ({
  console: globalThis.console,
  exit: Reflect.get(process, 'exit') as unknown,
  exitCode: process.exitCode,
  env: { ...process.env },
});

async function newEnvironment(): Promise<Environment> {
  const { default: NodeEnvironment } = (await import(new URL('jest-environment.js', import.meta.url).href)) as {
    default: new (config: object) => Environment;
  };
  return new NodeEnvironment({ projectConfig: { fakeTimers: {} } });
}

describe("Jest's environment", () => {
  it("puts back what a suite changed of Node.js's globals", async () => {
    const before = changed();
    const environment = await newEnvironment();
    await environment.setup();
    Object.assign(globalThis, { console: null });
    Object.assign(process, { exit: null, exitCode: 7 });
    Object.assign(process.env, { GREETING: 'of a suite', PATH: '' });
    await environment.teardown();
    expect(changed()).toEqual(before);
  });

  it('refuses a time limit of a test or hook, which a slow machine would exceed', async () => {
    const environment = await newEnvironment();
    for (const name of ['add_test', 'add_hook']) {
      expect(() => environment.handleTestEvent({ name, timeout: undefined })).not.toThrow();
      expect(() => environment.handleTestEvent({ name, timeout: 5_000 })).toThrow('5000 ms');
    }
  });
});
