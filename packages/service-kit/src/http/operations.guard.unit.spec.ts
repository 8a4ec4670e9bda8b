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
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('accepts this machine: %s', (address) => {
    expect(isDirectLoopback(caller(address))).toBe(true);
  });

  it.each([REMOTE, '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '128.0.0.1', '', undefined])(
    'refuses %s',
    (address) => {
      expect(isDirectLoopback(caller(address))).toBe(false);
    },
  );

  it('lets no header make a remote caller local', () => {
    expect(isDirectLoopback(caller(REMOTE, { 'x-forwarded-for': '127.0.0.1' }))).toBe(false);
    expect(isDirectLoopback(caller(REMOTE, { authorization: 'Bearer null' }))).toBe(false);
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via', 'x-client-ip'])(
    'refuses requests that a proxy on this machine forwards: %s',
    (name) => {
      expect(isDirectLoopback(caller('127.0.0.1', { [name]: '127.0.0.1' }))).toBe(false);
    },
  );

  it('refuses HTTP/1.0 requests, as a proxy without headers sends them', () => {
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

  it.each(['none', 'same-origin'])('accepts addresses that a person opens in a browser: %s', (site) => {
    expect(isDirectLoopback(caller('127.0.0.1', { 'sec-fetch-site': site }))).toBe(true);
  });

  it.each([
    ['rebound.example.com:8081', false],
    ['localhost.example.com', false],
    ['', false],
    ['localhost:8081', true],
    ['LOCALHOST', true],
    ['[::1]:8081', true],
  ])('refuses another name that resolves to this machine: %s', (host, expected) => {
    expect(isDirectLoopback(caller('127.0.0.1', { host }))).toBe(expected);
  });
});
