import { anyCharacter } from '@gondola/shared/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { pathSegment, platformRequest } from './platform-request.ts';

const ACCESS = {
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  baseUrl: 'https://shop.example.com/a/',
  coreBaseUrl: 'https://core.example.com:8443',
  username: 'erp-one',
  password: 'secret',
  coreApiKey: 'core-key',
};

describe('a request to the platform', () => {
  it('goes to the service of its route, with that service’s credentials and no other (rule 36)', () => {
    const integration = platformRequest(ACCESS, { service: 'integration', method: 'GET', path: '/v1/x' });
    expect(integration).toEqual({
      origin: 'https://shop.example.com',
      path: '/a/v1/x',
      method: 'GET',
      headers: {
        authorization: 'Basic ZXJwLW9uZTpzZWNyZXQ=',
        'x-contractAccountId': ACCESS.contractAccountId,
        accept: 'application/json',
      },
      body: null,
    });
    const core = platformRequest(ACCESS, { service: 'core', method: 'GET', path: '/v1/x' });
    expect(core).toMatchObject({ origin: 'https://core.example.com:8443', path: '/v1/x' });
    expect(core.headers).toEqual({ 'X-API-KEY': 'core-key', accept: 'application/json' });
  });

  it('holds any reference as one path segment that decodes to it (rule 36)', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (reference) => {
        const segment = pathSegment(reference);
        expect(segment).toMatch(/^[\w.~%!*'()-]+$/);
        expect(['.', '..']).not.toContain(segment);
        expect(decodeURIComponent(segment)).toBe(reference.toWellFormed());
      }),
    );
  });

  it('holds half a surrogate pair as the replacement character, as a body does', () => {
    expect(pathSegment('a\uD83D')).toBe('a%EF%BF%BD');
  });

  it('addresses the whole collection with no reference', () => {
    expect(() => pathSegment('')).toThrow(expect.objectContaining({ code: 'REQUEST_NOT_POSSIBLE' }));
  });
});
