import { describe, expect, it } from '@jest/globals';
import { Throttle } from './throttle.service.ts';

function throttleAt(): { readonly throttle: Throttle; readonly advance: (ms: number) => void } {
  let time = 1_000_000;
  const clock = { now: () => time };
  return { throttle: new Throttle(clock), advance: (ms) => void (time += ms) };
}

describe('Throttle', () => {
  it('slows down each key by itself, whatever the others are', () => {
    const { throttle } = throttleAt();
    const attempt = (address: number, name: string) => throttle.attempt([`address ${address}`, `name ${name}`]);
    for (const address of [1, 2, 3]) expect(attempt(address, 'maria')).toBe(0);
    expect(attempt(4, 'maria')).toBeGreaterThan(0);
    for (const name of ['a', 'b', 'c']) expect(attempt(9, name)).toBe(0);
    expect(attempt(9, 'd')).toBeGreaterThan(0);
    expect(attempt(8, 'd')).toBe(0);
  });

  it('counts no attempt that it does not hear', () => {
    const { throttle, advance } = throttleAt();
    for (const _ of [1, 2, 3]) throttle.attempt(['a']);
    for (const _ of Array.from({ length: 100 })) expect(throttle.attempt(['a'])).toBe(1_002);
    advance(1_002);
    expect(throttle.attempt(['a'])).toBe(0);
  });

  it('forgets the failures of someone who signed in', () => {
    const { throttle } = throttleAt();
    for (const _ of [1, 2, 3]) throttle.attempt(['a']);
    throttle.succeeded(['a']);
    expect(throttle.attempt(['a'])).toBe(0);
  });

  it('remembers ten thousand callers, and then forgets the one of longest ago', () => {
    const { throttle } = throttleAt();
    for (const _ of [1, 2, 3]) throttle.attempt(['first']);
    for (let key = 0; key < 9_999; key += 1) throttle.attempt([`key ${key}`]);
    expect(throttle.attempt(['first'])).toBeGreaterThan(0);
    throttle.attempt(['one more']);
    expect(throttle.attempt(['first'])).toBe(0);
  });

  it('forgets nobody who has to wait for any number of others who have not', () => {
    const { throttle, advance } = throttleAt();
    for (const _ of [1, 2, 3, 4, 5]) {
      advance(30_000);
      throttle.attempt(['slowed']);
    }
    for (let key = 0; key < 50_000; key += 1) throttle.attempt([`cheap ${key}`]);
    expect(throttle.attempt(['slowed'])).toBeGreaterThan(0);
  });
});
