import { describe, expect, it } from '@jest/globals';
import { TokenDigests } from './token-digests.ts';

const digests = new TokenDigests([
  { id: 'acme', tokens: ['acme-token-old', 'acme-token-new'] },
  { id: 'bairro', tokens: ['bairro-token'] },
  { id: 'none', tokens: [] },
]);

describe('token digests', () => {
  it('name the tenant of any of its tokens, wherever it stands among what is shown', () => {
    expect(digests.tenantOf(['acme-token-old'])).toBe('acme');
    expect(digests.tenantOf(['something else', 'acme-token-new'])).toBe('acme');
    expect(digests.tenantOf(['bairro-token'])).toBe('bairro');
  });

  it('name the expected tenant or nobody', () => {
    expect(digests.tenantOf(['bairro-token'], 'bairro')).toBe('bairro');
    expect(digests.tenantOf(['bairro-token'], 'acme')).toBeNull();
  });

  it.each([[[]], [['']], [['acme-token']], [['acme-token-new ']], [['none']]])('know nobody by %j', (shown) => {
    expect(digests.tenantOf(shown)).toBeNull();
  });
});
