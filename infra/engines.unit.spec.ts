import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Package {
  readonly engines?: { readonly node?: string } | readonly string[];
  readonly optional?: true;
}

const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
/** Oldest versions of Node.js that `npm ci` accepts: `22.19.0` and `24.11.0` of `^22.19.0 || >=24.11.0`. */
const OLDEST = engines.node.split('||').map((range) => range.replaceAll(/[^\d.]/g, ''));

const numbersOf = (version: string) => version.split('.').map(Number);

/** True if one alternative of a range, such as `^22.13||>=26`, accepts the version. Ranges end only at a major one. */
function accepts(range: string, version: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version);
  return range.split('||').some((alternative) => {
    const [, operator = '', from = '0'] = /^\s*(>=|\^|~)?\s*v?(\d+(?:\.\d+)*)/.exec(alternative) ?? [];
    const [fromMajor = 0, fromMinor = 0] = numbersOf(from);
    if (operator === '>=' || alternative.trim() === '*')
      return major > fromMajor || (major === fromMajor && minor >= fromMinor);
    return major === fromMajor && minor >= fromMinor;
  });
}

describe('the Node.js that package.json asks for', () => {
  it.each(OLDEST)('is one that every package accepts, so that npm ci warns of none (%s)', (version) => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };
    const unfit = Object.entries(packages).filter(
      ([, { engines: asked, optional }]) =>
        optional !== true && asked !== undefined && 'node' in asked && !accepts(asked.node ?? '*', version),
    );
    expect(unfit.map(([path]) => path)).toEqual([]);
  });

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/erp-guide.md', 'docs/pt-BR/guia-erp.md'])('is named by %s', (path) => {
    for (const version of OLDEST) expect(read(path)).toContain(version.split('.').slice(0, 2).join('.'));
  });
});
