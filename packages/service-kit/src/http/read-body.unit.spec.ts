import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { BodyBudget, BodyBrokenOffError, type BodyLimits, readBody } from './read-body.ts';

const limits = (limit: number, all = 1_000_000): BodyLimits => ({ limit, budget: new BodyBudget(all) });

describe('reading a body', () => {
  it('gives its bytes, up to the limit and not one more', async () => {
    const exact = new PassThrough();
    exact.write('ab');
    exact.end('cd');
    expect(await readBody(exact, limits(4))).toEqual(Buffer.from('abcd'));
    const over = new PassThrough();
    over.write('ab');
    over.end('cde');
    expect(await readBody(over, limits(4))).toBe('too-long');
  });

  it('lets the rest of one that is too long run out, so that its sender hears the answer', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    stream.write('abcde');
    expect(await readBody(stream, limits(4))).toBe('too-long');
    stream.end('x'.repeat(100_000));
    await new Promise<void>((resolve) => void stream.once('end', resolve));
  });

  it('distinguishes an aborted body from a short one', async () => {
    const stream = new PassThrough();
    const read = readBody(stream, limits(100));
    stream.write('ab');
    stream.destroy();
    await expect(read).rejects.toThrow(BodyBrokenOffError);
  });

  it('does not wait for one that was aborted before', async () => {
    const stream = new PassThrough();
    stream.destroy();
    await new Promise<void>((resolve) => void stream.once('close', resolve));
    await expect(readBody(stream, limits(100))).rejects.toThrow(BodyBrokenOffError);
  });

  it('gives the same bytes whatever the chunks that they come in', async () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1_000, max: 9_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(length, { maxLength: 30 }), async (lengths) => {
        const chunks = lengths.map((size, index) => Buffer.alloc(size, index + 1));
        const stream = new PassThrough();
        const read = readBody(stream, limits(1_000_000));
        for (const chunk of chunks) stream.write(chunk);
        stream.end();
        expect(Buffer.concat(chunks).equals((await read) as Buffer)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the bodies that are read at once', () => {
  const LIMIT = 1_000_000;

  async function begun(budget: BodyBudget, bytes: number) {
    const stream = new PassThrough({ highWaterMark: LIMIT });
    const read = readBody(stream, { limit: LIMIT, budget });
    stream.write(Buffer.alloc(bytes));
    await setImmediate();
    return { stream, read };
  }

  it('give up the longest of them when they are too many bytes, and never a short one', async () => {
    const budget = new BodyBudget(500_000);
    const short = await begun(budget, 60_000);
    const longest = await begun(budget, 250_000);
    const long = await begun(budget, 150_000);
    const last = await begun(budget, 100_000);
    expect(await longest.read).toBe('no-room');
    expect(budget.held).toBe(310_000);
    longest.stream.end('the rest');
    for (const { stream } of [short, long, last]) stream.end();
    expect(await Promise.all([short, long, last].map(({ read }) => read))).toMatchObject([
      { length: 60_000 },
      { length: 150_000 },
      { length: 100_000 },
    ]);
    expect(budget.held).toBe(310_000);
  });

  it('make room for short ones, whatever whole ones wait to be stored', async () => {
    const budget = new BodyBudget(500_000);
    const whole = await begun(budget, 490_000);
    whole.stream.end();
    expect(await whole.read).toHaveLength(490_000);
    const short = await begun(budget, 60_000);
    short.stream.end();
    expect(await short.read).toHaveLength(60_000);
    const long = await begun(budget, 70_000);
    expect(await long.read).toBe('no-room');
    budget.release(490_000);
    const next = await begun(budget, 70_000);
    next.stream.end();
    expect(await next.read).toHaveLength(70_000);
  });

  it('count nothing any more of what broke off, was too long or was given up', async () => {
    const budget = new BodyBudget(500_000);
    const broken = await begun(budget, 100_000);
    broken.stream.destroy();
    await expect(broken.read).rejects.toThrow(BodyBrokenOffError);
    const tooLong = await begun(budget, 400_000);
    tooLong.stream.write(Buffer.alloc(700_000));
    expect(await tooLong.read).toBe('too-long');
    const givenUp = await begun(budget, 600_000);
    expect(await givenUp.read).toBe('no-room');
    for (const { stream } of [tooLong, givenUp]) stream.destroy();
    await setImmediate();
    expect(budget.held).toBe(0);
  });
});
