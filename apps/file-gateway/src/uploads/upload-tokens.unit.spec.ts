import { describe, expect, it } from '@jest/globals';
import { UploadTokens } from './upload-tokens.ts';

const tokens = new UploadTokens([
  { id: 'acme', tokens: ['token-of-acme-1', 'token-of-acme-2'] },
  { id: 'beta', tokens: ['token-of-beta'] },
  { id: 'gama', tokens: [] },
]);

describe('an upload token', () => {
  it('names its tenant, whichever of its tokens it is (rule 31)', () => {
    expect(tokens.tenantOf('Bearer token-of-acme-1')).toBe('acme');
    expect(tokens.tenantOf('bearer  token-of-acme-2 ')).toBe('acme');
    expect(tokens.tenantOf('Bearer token-of-beta')).toBe('beta');
  });

  it.each([
    undefined,
    '',
    'Bearer ',
    'token-of-acme-1',
    'Basic token-of-acme-1',
    'Bearer token-of-acme-',
    'Bearer a b',
  ])('is not %j', (header) => {
    expect(tokens.tenantOf(header)).toBeNull();
  });
});
