import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nodeTooOld } from './node-version.ts';

const APPS = join(import.meta.dirname, '../../../../apps');
const SERVICES = ['catalog-publisher', 'console', 'file-gateway', 'order-command-handler', 'webhook-ingest'];

describe('nodeTooOld', () => {
  it.each(['18.20.8', '20.20.2', '22.19.0', '23.11.1'])('is one sentence on %s that names both versions', (version) => {
    expect(nodeTooOld(version)).toMatch(/Node\.js 24/);
    expect(nodeTooOld(version)).toContain(version);
    expect(nodeTooOld(version)).not.toContain('\n');
  });

  it.each(['24.0.0', '24.21.0', '26.1.0'])('is null on %s', (version) => {
    expect(nodeTooOld(version)).toBeNull();
  });
});

describe('the main.ts of an app', () => {
  it.each(SERVICES)('of %s checks the version of Node.js before it imports anything that may fail', async (app) => {
    const main = await readFile(join(APPS, app, 'src/main.ts'), 'utf8');
    expect(main.match(/^import .*$/gm)).toEqual([
      "import { requireNode } from '@gondola/service-kit/config/node-version';",
    ]);
    expect(main.indexOf('requireNode();')).toBeLessThan(main.indexOf('await import('));
  });
});
