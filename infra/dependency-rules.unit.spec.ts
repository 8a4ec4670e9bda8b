import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = new URL('..', import.meta.url).pathname;

/** One planted violation per rule: the rule's name → the file that breaks it and the file's text. */
const VIOLATIONS: Record<string, { file: string; text: string }> = {
  'no-import-cycles': {
    file: 'apps/a/src/cycle-one.ts',
    text: `import { two } from './cycle-two.ts';\nexport const one = two;`,
  },
  'no-app-imports-an-app': { file: 'apps/a/src/neighbour.ts', text: `export { thing } from '../../b/src/thing.ts';` },
  'no-package-imports-an-app': {
    file: 'packages/lanes/src/up.ts',
    text: `export { thing } from '../../../apps/b/src/thing.ts';`,
  },
  'shared-is-pure': { file: 'packages/shared/src/reader.ts', text: `export { readFile } from 'node:fs/promises';` },
  'a-file-without-a-suffix-is-pure': {
    file: 'apps/webhook-ingest/src/shelf/plan.ts',
    text: `export { read } from './shelf.service.ts';`,
  },
  'kafkajs-is-fenced': {
    file: 'packages/lanes/src/intake/headers.ts',
    text: `import type { IHeaders } from 'kafkajs';\nexport const headers: IHeaders = {};`,
  },
  'sandbox-is-independent': {
    file: 'apps/platform-sandbox/src/limits.ts',
    text: `export { limits } from '../../../packages/shared/src/limits.ts';`,
  },
  'the-erp-knows-only-the-contract': {
    file: 'demo/erp/topics.ts',
    text: `export { limits } from '../../packages/shared/src/limits.ts';`,
  },
  'only-the-comparison-of-tables-looks-into-an-app': {
    file: 'infra/bench/inside.ts',
    text: `export { thing } from '../../apps/b/src/thing.ts';`,
  },
  'everything-resolves': { file: 'apps/a/src/missing.ts', text: `export { gone } from './gone.ts';` },
};

const INNOCENT: Record<string, string> = {
  'apps/webhook-ingest/src/shelf/shelf.service.ts': `export { readFile as read } from 'node:fs/promises';\nexport { sum } from './sum.ts';`,
  'apps/webhook-ingest/src/shelf/aim.ts': `import type { read } from './shelf.service.ts';\nexport type Aim = typeof read;`,
  'apps/webhook-ingest/src/shelf/sum.ts': `export { limits as sum } from '../../../../packages/shared/src/limits.ts';`,
  'apps/a/src/cycle-two.ts': `import type { one } from './cycle-one.ts';\nexport const two: typeof one | number = 2;`,
  'node_modules/kafkajs/package.json': '{ "name": "kafkajs", "main": "index.js" }',
  'node_modules/kafkajs/index.js': 'export {};',
  'packages/kafka/src/client/client.ts': `import type { Kafka } from 'kafkajs';\nexport type Client = Kafka;`,
  'apps/a/test/support/producer.ts': `import type { Producer } from 'kafkajs';\nexport type Sender = Producer;`,
  'apps/b/src/thing.ts': 'export const thing = 1;',
  'infra/platform-tables.unit.spec.ts': `export { thing } from '../apps/b/src/thing.ts';`,
  'packages/shared/src/limits.ts': `export { createHash as limits } from 'node:crypto';\nexport { isUtf8 } from 'node:buffer';`,
};

interface Cruise {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

function cruise(folder: string): Promise<Cruise> {
  return new Promise((resolve, reject) => {
    const options = ['--config', join(root, 'infra/dependency-rules.config.js'), '--output-type', 'json', '.'];
    execFile(
      process.execPath,
      [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), ...options],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => (stdout ? resolve(JSON.parse(stdout) as Cruise) : reject(error ?? new Error('no output'))),
    );
  });
}

describe('the dependency check', () => {
  let folder: string;
  let found: { from: string; rule: string }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-dependencies-'));
    const files = [
      ...Object.values(VIOLATIONS).map(({ file, text }) => [file, text] as const),
      ...Object.entries(INNOCENT),
    ];
    for (const [file, text] of files) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), `${text}\n`);
    }
    found = (await cruise(folder)).summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.entries(VIOLATIONS))('finds a planted violation of %s', (rule, { file }) => {
    expect(found).toContainEqual({ from: file, rule });
  });

  it('lets innocent files pass', () => {
    const innocent = new Set(Object.keys(INNOCENT));
    expect(found.filter(({ from, rule }) => innocent.has(from) && rule !== 'no-import-cycles')).toEqual([]);
  });
});
