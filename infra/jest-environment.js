// Jest's environment for Node.js, with `importNatively`: a module as Node.js itself loads it, outside of Jest's own
// module system, once for all suites of a Jest process. Jest loads every module anew for each suite, which for an app
// with its dependencies takes longer than most of its tests. For suites that know an app from outside, by its HTTP or
// Kafka: what a test and an app both load exists twice, and the app's module state outlives the suite.
import { createRequire, registerHooks } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const FROM_SOURCES = 'gondola-source';

export default class GondolaEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.importNatively = importNatively;
    // For native-packages.js; with one Reflect, decorators of both realms find each other's metadata.
    this.global.requireNatively = requireNatively;
    this.global.Reflect = Reflect;
  }
}

const requireNatively = createRequire(import.meta.url);

let hooks;

async function importNatively(url) {
  hooks ??= prepare();
  await hooks;
  return await import(url);
}

async function prepare() {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [FROM_SOURCES, ...context.conditions] }),
  });
  await import('../packages/local-stack/src/swc-hooks.ts');
}
