import { describe, expect, it } from '@jest/globals';
import { mayOperate } from './operations.guard.ts';
import type { Caller } from './operations.guard.ts';

const TOKEN = 'a token of the operators';
const REMOTE = '203.0.113.7';

function caller(remoteAddress: string | undefined, headers: Caller['headers'] = {}): Caller {
  return { remoteAddress, headers: { host: '127.0.0.1:8081', ...headers } };
}

describe('mayOperate, with a token', () => {
  const token = 'operations-token';
  it.each([
    ['the token', `Bearer ${token}`, true],
    ['the token with the scheme in another case', `bearer  ${token} `, true],
    ['another token', 'Bearer operations-toke', false],
    ['a longer one', `Bearer ${token}x`, false],
    ['no scheme', token, false],
    ['another scheme', `Basic ${token}`, false],
    ['nothing', undefined, false],
    ['an empty one', 'Bearer ', false],
  ])('is decided by it alone: %s', (_what, authorization, expected) => {
    const headers = authorization === undefined ? {} : { authorization };
    expect(mayOperate(token, caller(REMOTE, headers))).toBe(expected);
    expect(mayOperate(token, caller('127.0.0.1', headers))).toBe(expected);
  });
});

describe('mayOperate, without a token', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('answers this machine: %s', (address) => {
    expect(mayOperate(null, caller(address))).toBe(true);
  });

  it.each([REMOTE, '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '128.0.0.1', '', undefined])(
    'refuses %s',
    (address) => {
      expect(mayOperate(null, caller(address))).toBe(false);
    },
  );

  it('never lets a header make a stranger local, nor a proxy on this machine its clients', () => {
    expect(mayOperate(null, caller(REMOTE, { 'x-forwarded-for': '127.0.0.1' }))).toBe(false);
    expect(mayOperate(null, caller('127.0.0.1', { 'x-forwarded-for': REMOTE }))).toBe(false);
    expect(mayOperate(null, caller('127.0.0.1', { forwarded: `for=${REMOTE}` }))).toBe(false);
  });

  it('refuses a web page whose name was made to point to this machine', () => {
    expect(mayOperate(null, caller('127.0.0.1', { host: 'rebound.example.com:8081' }))).toBe(false);
    expect(mayOperate(null, caller('127.0.0.1', { host: 'localhost:8081' }))).toBe(true);
    expect(mayOperate(null, caller('::1', { host: '[::1]:8081' }))).toBe(true);
  });

  it('does not take a token that was shown for a reason to answer', () => {
    expect(mayOperate(null, caller(REMOTE, { authorization: `Bearer ${TOKEN}` }))).toBe(false);
    expect(mayOperate(null, caller(REMOTE, { authorization: 'Bearer null' }))).toBe(false);
  });
});
