import { describe, expect, it } from '@jest/globals';
import ssh2 from 'ssh2';
import { newHostKey } from './host-key.ts';

describe('a new host key', () => {
  it('is always a readable private key', () => {
    const read = Array.from({ length: 3_000 }, () => ssh2.utils.parseKey(newHostKey()));
    const failed = read.filter((key) => key instanceof Error || !key.isPrivateKey());
    expect(failed).toEqual([]);
  });
});
