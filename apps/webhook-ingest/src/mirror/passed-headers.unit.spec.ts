import { describe, expect, it } from '@jest/globals';
import { passedHeaders } from './passed-headers.ts';

describe('the headers that are passed on', () => {
  it('keep order, spelling, repeats and values', () => {
    const headers = ['Content-Type', 'application/json', 'X-Um', '1', 'x-um', '2', 'Accept', '*/*', 'X-\xe7', 'a\xe7'];
    expect(passedHeaders(headers)).toEqual(headers);
  });

  it('are not those of the connection, whatever it names, nor the token, the host and the length', () => {
    const dropped = ['AUTHORIZATION', 'Bearer x', 'Host', 'a', 'content-length', '2', 'Transfer-Encoding', 'chunked'];
    const hops = ['Connection', 'close, X-Hop', 'X-HOP', '1', 'Keep-Alive', 'timeout=5', 'Proxy-Authorization', 'x'];
    expect(passedHeaders([...dropped, 'X-Um', '1', ...hops, 'Expect', '100-continue', 'Upgrade', 'h2c'])).toEqual([
      'X-Um',
      '1',
    ]);
  });
});
