import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { BodyBrokenOffError, readBody } from './read-body.ts';

describe('reading a body', () => {
  it('gives its bytes, up to the limit and not one more', async () => {
    const exact = new PassThrough();
    exact.write('ab');
    exact.end('cd');
    expect(await readBody(exact, 4)).toEqual(Buffer.from('abcd'));
    const over = new PassThrough();
    over.write('ab');
    over.end('cde');
    expect(await readBody(over, 4)).toBeNull();
  });

  it('lets the rest of one that is too long run out, so that its sender hears the answer', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    stream.write('abcde');
    expect(await readBody(stream, 4)).toBeNull();
    stream.end('x'.repeat(100_000));
    await new Promise<void>((resolve) => void stream.once('end', resolve));
  });

  it('tells a body that broke off from a short one', async () => {
    const stream = new PassThrough();
    const read = readBody(stream, 100);
    stream.write('ab');
    stream.destroy();
    await expect(read).rejects.toThrow(BodyBrokenOffError);
  });
});
