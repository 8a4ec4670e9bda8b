import { describe, expect, it } from '@jest/globals';
import { isDirectLoopback, showsToken } from './operations.guard.ts';
import type { Caller } from './operations.guard.ts';

const REMOTE = '203.0.113.7';

function caller(remoteAddress: string | undefined, headers: Caller['headers'] = {}, httpVersion = '1.1'): Caller {
  return { remoteAddress, httpVersion, headers: { host: '127.0.0.1:8081', ...headers } };
}

describe('showsToken', () => {
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
  ])('recognizes %s', (_what, authorization, expected) => {
    expect(showsToken(token, authorization === undefined ? {} : { authorization })).toBe(expected);
  });
});

describe('isDirectLoopback', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('takes this machine: %s', (address) => {
    expect(isDirectLoopback(caller(address))).toBe(true);
  });

  it.each([REMOTE, '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '128.0.0.1', '', undefined])(
    'refuses %s',
    (address) => {
      expect(isDirectLoopback(caller(address))).toBe(false);
    },
  );

  it('never lets a header make a stranger local', () => {
    expect(isDirectLoopback(caller(REMOTE, { 'x-forwarded-for': '127.0.0.1' }))).toBe(false);
    expect(isDirectLoopback(caller(REMOTE, { authorization: 'Bearer null' }))).toBe(false);
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via', 'x-client-ip'])(
    'refuses what a proxy on this machine passes on: %s',
    (name) => {
      expect(isDirectLoopback(caller('127.0.0.1', { [name]: '127.0.0.1' }))).toBe(false);
    },
  );

  it('refuses what a proxy passes on that adds no header, and speaks HTTP/1.0', () => {
    expect(isDirectLoopback(caller('127.0.0.1', {}, '1.0'))).toBe(false);
  });

  it.each([
    { origin: 'https://shop.example.com' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('refuses a web page: %j', (headers) => {
    expect(isDirectLoopback(caller('127.0.0.1', headers))).toBe(false);
  });

  it.each(['none', 'same-origin'])('takes what a person opens in a browser: %s', (site) => {
    expect(isDirectLoopback(caller('127.0.0.1', { 'sec-fetch-site': site }))).toBe(true);
  });

  it.each([
    ['rebound.example.com:8081', false],
    ['localhost.example.com', false],
    ['', false],
    ['localhost:8081', true],
    ['LOCALHOST', true],
    ['[::1]:8081', true],
  ])('refuses a name that was made to point to this machine: %s', (host, expected) => {
    expect(isDirectLoopback(caller('127.0.0.1', { host }))).toBe(expected);
  });
});
