import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  readonly license?: string;
  readonly dev?: true;
  readonly link?: true;
}

/** Licences that ask for no more than their own text beside the software. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
];

/** Packages of which the lock file has no licence, with the one that their own text gives. */
const STATED: Readonly<Record<string, string>> = { buildcheck: 'MIT', 'cpu-features': 'MIT', ssh2: 'MIT' };

/** sharp's compiled libraries: LGPL, and loaded at run time as the separate files that they are. */
const LOADED_LIBRARIES = /^@img\/sharp-/;

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

describe('the licences of what the images have', () => {
  it('are permissive, or those of a library that is loaded at run time', () => {
    const shipped = Object.entries(packages).filter(
      ([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true,
    );
    expect(shipped.length).toBeGreaterThan(100);
    const others = shipped.flatMap(([path, { license }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      const stated = license ?? STATED[name] ?? 'none';
      return PERMISSIVE.includes(stated) || LOADED_LIBRARIES.test(name) ? [] : [`${name}: ${stated}`];
    });
    expect(others).toEqual([]);
  });
});
