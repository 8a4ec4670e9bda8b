import { fileURLToPath } from 'node:url';
import { suitesIn } from './infra/suites.ts';
import { NATIVE_PACKAGES, OTHER_PACKAGES } from './infra/native-packages.js';

// One configuration for every workspace: each runs `jest --rootDir .` in its own folder, so that turbo can cache it.
export default {
  testEnvironment: fileURLToPath(new URL('./infra/jest-environment.js', import.meta.url)),
  extensionsToTreatAsEsm: ['.ts'],
  testMatch:
    process.env['GONDOLA_LONG'] === undefined
      ? ['**/*.spec.ts', '!**/*.long.spec.ts']
      : ['!**', ...suitesIn('.', { long: true }).map((suite) => `**/${suite}`)],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironmentOptions: { customExportConditions: ['gondola-source', 'node', 'node-addons'] },
  transformIgnorePatterns: [OTHER_PACKAGES],
  transform: {
    [NATIVE_PACKAGES]: fileURLToPath(new URL('./infra/native-packages.js', import.meta.url)),
    '\\.ts$': [
      '@swc/jest',
      {
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
      },
    ],
  },
  // Longer than any wait for a condition, which says what it waited for; a busy machine is no failure.
  testTimeout: 120_000,
  // Each suite leaves some of its modules in memory; a worker that has grown large is replaced by a new one,
  workerIdleMemoryLimit: '500MB',
  // and gives its memory back when it exits, which takes seconds on a busy machine. One that hangs is still found.
  workerGracefulExitTimeout: 30_000,
};
