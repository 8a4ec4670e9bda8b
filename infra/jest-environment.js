// Jest's environment without a realm of its own: a suite runs among the globals of Node.js, which jest-runtime.js loads
// it into. What a suite may change of them is put back after it.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

export default class NodeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  #before = { console: globalThis.console, exit: process.exit, exitCode: process.exitCode, env: { ...process.env } };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest has just put its own in place, which knows the source maps only of what Jest itself loaded.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    const { console, exit, exitCode, env } = this.#before;
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    delete globalThis[TEST_TIMEOUT];
    globalThis.console = console;
    Object.assign(process, { exit, exitCode });
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }

  /** The one limit is jest.config.js's: a limit in a test becomes a measure of the machine's speed. */
  handleTestEvent({ name, timeout }) {
    if ((name === 'add_test' || name === 'add_hook') && timeout !== undefined) {
      throw new Error(
        `A test or hook has a time limit of its own (${timeout} ms). Remove it: jest.config.js has the limit`,
      );
    }
  }

  getVmContext() {
    return globalThis;
  }
}
