import { describe, expect, it } from '@jest/globals';
import { FactContent } from './fact-content.ts';
import { RecentContents } from './recent-contents.ts';

const MEGABYTE = 1_048_576;
const SECONDS = 1_000;

const content = (bytes: Uint8Array = Buffer.from('{"number":1}')) => new FactContent(bytes);
const fact = (laneId: number, hash = `hash-${laneId}`) => ({ laneId: String(laneId), hash, content: content() });

describe('the content that was stored a moment ago', () => {
  it('is taken once, the newest of each order', () => {
    const recent = new RecentContents();
    recent.add([fact(1), fact(2), fact(1, 'newer')], 0);
    expect(recent.take('1')).toMatchObject({ hash: 'newer' });
    expect(recent.take('1')).toBeUndefined();
    expect(recent.take('2')).toMatchObject({ hash: 'hash-2' });
  });

  it('is not taken up beyond a number of orders until older ones are past their age', () => {
    const recent = new RecentContents();
    recent.add(
      Array.from({ length: 1_001 }, (_, laneId) => fact(laneId)),
      0,
    );
    recent.add([fact(2_000)], 10 * SECONDS);
    expect([recent.take('1000'), recent.take('2000')]).toEqual([undefined, undefined]);
    expect(recent.take('0')).toBeDefined();
    recent.add([fact(3_000), fact(3_001)], 11 * SECONDS);
    expect([recent.take('1'), recent.take('3000')?.hash, recent.take('3001')?.hash]).toEqual([
      undefined,
      'hash-3000',
      'hash-3001',
    ]);
  });

  it('is let go of when its age is over, whether there is room or not', () => {
    const recent = new RecentContents();
    recent.add([fact(1)], 0);
    recent.add([fact(2)], 11 * SECONDS);
    expect([recent.take('1'), recent.take('2')?.hash]).toEqual([undefined, 'hash-2']);
  });

  it('is limited by the memory in which it lies', () => {
    const recent = new RecentContents();
    const fetched = Buffer.alloc(40 * MEGABYTE);
    const parts = [1, 2].map((laneId) => ({ ...fact(laneId), content: content(fetched.subarray(laneId, laneId + 1)) }));
    recent.add(parts, 0);
    recent.add([fact(3)], 0);
    expect([recent.take('2'), recent.take('3')]).toEqual([undefined, undefined]);
    expect(recent.take('1')).toBeDefined();
    recent.add([fact(3)], 0);
    expect(recent.take('3')).toBeDefined();
  });
});

describe('the content of a fact', () => {
  it('is parsed when it is read, or given', () => {
    expect(content().record).toEqual({ number: 1 });
    expect(new FactContent(Buffer.from('[]')).record).toBeNull();
    const record = { number: 2 };
    expect(new FactContent(Buffer.from('{}'), record).record).toBe(record);
  });
});
