import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FetchError } from './fetch-error.ts';
import { PathContent } from './path-content.adapter.ts';

describe('content by path', () => {
  let folder: string;
  let content: PathContent;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-paths-'));
    const root = join(folder, 'acme');
    await mkdir(join(root, 'queijo'), { recursive: true });
    await mkdir(join(folder, 'beta'));
    await mkdir(join(folder, 'acme-old'));
    for (const secret of ['secret.png', 'beta/theirs.png', 'acme-old/old.png'])
      await writeFile(join(folder, secret), 'secret');
    await writeFile(join(root, 'queijo', '1.png'), 'a picture');
    await symlink(join(root, 'queijo', '1.png'), join(root, 'inside.png'));
    await symlink('../secret.png', join(root, 'out.png'));
    await symlink(join(folder, 'beta'), join(root, 'neighbour'));
    await symlink('out.png', join(root, 'out-twice.png'));
    await symlink('loop.png', join(root, 'loop.png'));
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(root, 'pipe.png')]);
    content = new PathContent({ fetching: { filesRoot: folder } });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function read(path: string, from = content): Promise<string> {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of from.read('acme', path)) pieces.push(piece);
    } catch (error) {
      if (error instanceof FetchError) return error.why;
      throw error;
    }
    return Buffer.concat(pieces).toString();
  }

  it.each(['queijo/1.png', './queijo/../queijo/1.png', 'inside.png'])(
    'is what is there: %s (rule 31)',
    async (path) => {
      expect(await read(path)).toBe('a picture');
    },
  );

  it.each([
    '../secret.png',
    'queijo/../../secret.png',
    '../beta/theirs.png',
    '../acme-old/old.png',
    'out.png',
    'out-twice.png',
    'neighbour/theirs.png',
    '/etc/hostname',
    'queijo',
    '.',
    'pipe.png',
    'queijo/1.png\0.jpg',
  ])("is nothing outside of the tenant's root, and no other thing than a file: %j (rule 31)", async (path) => {
    expect(await read(path)).toBe('path-outside');
  });

  it.each(['queijo/2.png', 'loop.png', 'queijo/1.png/x'])('is not there: %s', async (path) => {
    expect(await read(path)).toBe('not-there');
  });

  it('needs FILES_ROOT', async () => {
    expect(await read('queijo/1.png', new PathContent({ fetching: { filesRoot: null } }))).toBe('no-root');
  });
});
