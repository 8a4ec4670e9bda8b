import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Options, transformSync } from '@swc/core';

const require = createRequire(import.meta.url);

const OPTIONS: Options = {
  swcrc: false,
  module: { type: 'es6' },
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
};

/**
 * TypeScript files as JavaScript, stored in a folder, so that a process started again from its sources only reads
 * them. There is one file per source file; its first line is a hash of everything that the JavaScript depends on,
 * so a changed source, option or swc version leads to a new transformation.
 */
export class TransformCache {
  readonly #folder: string;
  readonly #settings: string;

  constructor(folder: string) {
    const { version } = require('@swc/core/package.json') as { version: string };
    this.#folder = folder;
    this.#settings = JSON.stringify([version, OPTIONS]);
    mkdirSync(folder, { recursive: true });
  }

  load(filename: string): string {
    const source = readFileSync(filename, 'utf8');
    const hash = sha256(this.#settings, filename, source);
    const cached = join(this.#folder, sha256(filename));
    const known = readOrNothing(cached);
    if (known.startsWith(`${hash}\n`)) return known.slice(hash.length + 1);
    const { code } = swc().transformSync(source, { ...OPTIONS, filename });
    this.#store(cached, `${hash}\n${code}`);
    return code;
  }

  /** Written by renaming, so that parallel processes never read an incomplete file. */
  #store(cached: string, text: string): void {
    const unfinished = `${cached}.${process.pid}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, cached);
  }
}

/** Loaded only for a transformation, since it is a native library. */
function swc(): { transformSync: typeof transformSync } {
  return require('@swc/core') as { transformSync: typeof transformSync };
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function sha256(...texts: string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
}
