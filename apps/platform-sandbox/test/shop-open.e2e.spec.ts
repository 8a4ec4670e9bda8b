import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Receiver } from './support/receiver.ts';
import { Shop } from './support/shop.ts';

describe('Shop.open, if the sandbox does not start,', () => {
  const usual = process.env['TMPDIR'];
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-open-'));
    process.env['TMPDIR'] = folder;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    await rm(folder, { recursive: true });
  });

  it('leaves no receiver and no folder behind', async () => {
    const listen = jest.spyOn(Receiver, 'listen');
    await expect(Shop.open({ HISTORY_KEPT: 'all' })).rejects.toThrow('HISTORY_KEPT');
    expect(await readdir(folder)).toEqual([]);
    const receiver = await (listen.mock.results[0]!.value as Promise<Receiver>);
    expect(receiver.isListening).toBe(false);
  });
});
