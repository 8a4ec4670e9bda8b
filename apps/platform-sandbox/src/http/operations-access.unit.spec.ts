import { describe, expect, it } from '@jest/globals';
import { isDirectLoopback, showsToken, type Knocking } from './operations-access.ts';

const HOST = '127.0.0.1:8090';

function caller(remoteAddress: string | undefined, headers: Knocking['headers'] = {}, httpVersion = '1.1'): Knocking {
  return { remoteAddress, httpVersion, headers: { host: HOST, ...headers } };
}

describe('isDirectLoopback', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('accepts this machine: %s', (address) => {
    expect(isDirectLoopback(caller(address))).toBe(true);
  });

  it.each(['203.0.113.7', '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', undefined])('refuses %s', (address) => {
    expect(isDirectLoopback(caller(address))).toBe(false);
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via', 'x-client-ip'])(
    'refuses what a proxy forwards: %s',
    (name) => {
      expect(isDirectLoopback(caller('127.0.0.1', { [name]: '127.0.0.1' }))).toBe(false);
    },
  );

  it('refuses HTTP/1.0, as a proxy without headers sends it', () => {
    expect(isDirectLoopback(caller('127.0.0.1', {}, '1.0'))).toBe(false);
  });

  it.each([
    { origin: 'https://shop.example.com' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:9999' },
    { origin: `https://${HOST}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: `http://${HOST}` },
    { host: 'rebound.example.com', origin: 'http://rebound.example.com' },
  ])('refuses a foreign page: %j', (headers) => {
    expect(isDirectLoopback(caller('127.0.0.1', headers))).toBe(false);
  });

  it.each([
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` },
    { origin: 'http://localhost:8090', host: 'localhost:8090' },
  ])('accepts a person’s browser and the sandbox’s own page: %j', (headers) => {
    expect(isDirectLoopback(caller('127.0.0.1', headers))).toBe(true);
  });
});

describe('showsToken', () => {
  it.each([
    ['Bearer operations-token', true],
    ['bearer  operations-token ', true],
    ['Bearer operations-toke', false],
    ['operations-token', false],
    [undefined, false],
  ])('of %j is %s', (authorization, expected) => {
    expect(showsToken('operations-token', authorization === undefined ? {} : { authorization })).toBe(expected);
  });
});
