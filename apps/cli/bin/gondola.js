#!/usr/bin/env node
// npm links a command only if its file exists at `npm ci`, so the build does not create this file. If Node.js reads
// TypeScript (24, and so `npx gondola` in this repository), the sources of the command line run; otherwise its build.
// Both need the build of the packages.
import { existsSync } from 'node:fs';

const has = (path) => existsSync(new URL(path, import.meta.url));
const entry = process.features.typescript && has('../src/main.ts') ? '../src/main.ts' : '../dist/main.js';

try {
  await import(entry);
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write(
    'gondola ainda não foi compilado para este Node.js: rode npm run build, ou use npx gondola no repositório.\n' +
      'gondola is not built yet for this Node.js: run npm run build, or use npx gondola in the repository.\n',
  );
  process.exitCode = 1;
}
