// Jest's `runtime`: Node.js loads the suites and all that they import, once in each Jest process. Jest's own runtime
// reads and runs every module anew for each suite, which took half of the processor time of a test run. So a module's
// state outlives a suite, as it does in production: no suite may depend on being the first to load it.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './jest-globals.js';

const FROM_SOURCES = 'gondola-source';
const GLOBALS = new URL('jest-globals.js', import.meta.url).href;
const CIRCUS_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const require = createRequire(import.meta.url);

process.setSourceMapsEnabled(true);
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
    return next(specifier, { ...context, conditions: [FROM_SOURCES, ...context.conditions] });
  },
});

export default class NodeRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  /** Resets the module of jest-circus, which holds the state of the running suite: each suite gets a new one. */
  requireInternalModule(file) {
    delete require.cache[file];
    delete globalThis[CIRCUS_HANDLERS];
    return require(file);
  }

  requireModule(file) {
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: this.#jest() });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    await import('../packages/local-stack/src/swc-hooks.ts');
    await import(pathToFileURL(file).href);
  }

  /** Node.js maps the stacks. */
  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}

  /** Functions of `jest` that do not replace modules. */
  #jest() {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.#environment;
    return {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      setTimeout: (ms) => (globalThis[TEST_TIMEOUT] = ms),
      useFakeTimers: (options) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    };
  }
}
