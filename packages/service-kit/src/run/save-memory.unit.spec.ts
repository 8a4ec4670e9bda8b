import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SOURCES } from '@gondola/local-stack/child-app';
import { describe, expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../testing/lean-process.main.ts', import.meta.url));
/** Node.js gives 32 MB and more by default. */
const MOST_YOUNG_BYTES = 8 * 2 ** 20;

describe('a process that saves memory', () => {
  it('has a young generation that does not grow', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...SOURCES, MAIN]);
    expect(Number(stdout)).toBeLessThan(MOST_YOUNG_BYTES);
  });
});
