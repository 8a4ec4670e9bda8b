import { fileURLToPath } from 'node:url';

// One configuration for every workspace: each runs `jest --rootDir .` in its own folder, so that turbo can cache it.
export default {
  testEnvironment: fileURLToPath(new URL('./infra/jest-environment.js', import.meta.url)),
  runtime: fileURLToPath(new URL('./infra/jest-runtime.js', import.meta.url)),
  transform: {},
  // A long suite is chosen by `npm run test:long`, which runs each on its own.
  testMatch: ['**/*.spec.ts', '!**/*.long.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  // The only time limit of tests: it ends one that hangs, and is no measure of speed. Longer than any wait for a
  // condition, which says what it waited for.
  testTimeout: process.env['GONDOLA_LONG'] === undefined ? 600_000 : 3_600_000,
  // Each suite leaves some of its modules in memory; a worker that has grown large is replaced by a new one,
  workerIdleMemoryLimit: '500MB',
  // and gives its memory back when it exits, which takes seconds on a busy machine. One that hangs is still found.
  workerGracefulExitTimeout: 30_000,
};
