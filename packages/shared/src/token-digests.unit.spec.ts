import { describe, expect, it } from '@jest/globals';
import { TokenDigests } from './token-digests.ts';

const digests = new TokenDigests([
  { id: 'acme', tokens: ['acme-token-old', 'acme-token-new'] },
  { id: 'bairro', tokens: ['bairro-token'] },
  { id: 'none', tokens: [] },
]);

describe('token digests', () => {
  it('identify a tenant by any of its tokens, anywhere in the list', () => {
    expect(digests.tenantOf(['acme-token-old'])).toBe('acme');
    expect(digests.tenantOf(['something else', 'acme-token-new'])).toBe('acme');
    expect(digests.tenantOf(['bairro-token'])).toBe('bairro');
  });

  it('identify only the expected tenant', () => {
    expect(digests.tenantOf(['bairro-token'], 'bairro')).toBe('bairro');
    expect(digests.tenantOf(['bairro-token'], 'acme')).toBeNull();
  });

  it.each([[[]], [['']], [['acme-token']], [['acme-token-new ']], [['none']]])('identify no tenant by %j', (shown) => {
    expect(digests.tenantOf(shown)).toBeNull();
  });
});
