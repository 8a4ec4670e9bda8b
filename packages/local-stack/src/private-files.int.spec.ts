import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { privateFolder, writePrivately } from './private-files.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

describe('what only its owner may open', () => {
  it('is a folder, also one that was open to others, and not those above it', async () => {
    await using folder = await temporaryFolder();
    const above = join(folder.path, 'above');
    await privateFolder(join(above, 'inner'));
    expect((await stat(above)).mode & 0o077).not.toBe(0);
    await chmod(join(above, 'inner'), 0o777);
    await privateFolder(join(above, 'inner'));
    expect((await stat(join(above, 'inner'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a new one', async () => {}],
    ['one that was open to others', (path: string) => writeFile(path, 'before', { mode: 0o666 })],
    ['one in place of a symbolic link', (path: string) => symlink('elsewhere', path)],
  ])('is a file: %s', async (_, lay) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'file');
    await writeFile(join(folder.path, 'elsewhere'), 'other');
    await lay(path);
    await writePrivately(path, 'text');
    expect(await readFile(path, 'utf8')).toBe('text');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder.path, 'elsewhere'), 'utf8')).toBe('other');
    expect((await readdir(folder.path)).toSorted()).toEqual(['elsewhere', 'file']);
  });
});
