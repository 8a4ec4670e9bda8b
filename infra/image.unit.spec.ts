import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const last = read('infra/Dockerfile').split('\nFROM ').at(-1)!;
const labels = Object.fromEntries(
  Array.from(last.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g), ([, name = '', value]) => [name, value]),
);

describe('an image', () => {
  it('is labelled with what it is, of which sources, under which licence', () => {
    const { license } = JSON.parse(read('package.json')) as { license: string };
    expect(labels).toEqual({
      title: 'Gondola ${APP}',
      version: '${VERSION}',
      revision: '${REVISION}',
      source: '${SOURCE}',
      licenses: license,
    });
  });

  it('takes each of them from an argument, which the command in the documents gives', () => {
    const names = Array.from(JSON.stringify(labels).matchAll(/\$\{(\w+)\}/g), ([, name]) => name);
    expect(names.filter((name) => !new RegExp(`^ARG ${name}\\b`, 'm').test(last))).toEqual([]);
    expect(names.filter((name) => !read('docs/running.md').includes(`--build-arg ${name}=`))).toEqual([]);
  });
});
