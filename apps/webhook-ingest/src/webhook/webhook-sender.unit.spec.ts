import { describe, expect, it } from '@jest/globals';
import { TokenDirectory } from './webhook-sender.ts';

const directory = new TokenDirectory([
  { id: 'acme', tokens: ['acme-token-old', 'acme-token-new'] },
  { id: 'bairro', tokens: ['bairro-token'] },
]);

describe('webhook tokens', () => {
  it.each(['acme-token-new', 'Bearer acme-token-new', 'bearer  acme-token-new', 'Basic acme-token-new'])(
    'are accepted as registered or with a scheme before them: %s (rule 3)',
    (header) => {
      expect(directory.tenantOf(header)).toBe('acme');
    },
  );

  it('may be two at once for a tenant (rule 3)', () => {
    expect(directory.tenantOf('acme-token-old')).toBe('acme');
    expect(directory.tenantOf('acme-token-new')).toBe('acme');
  });

  it('identify their tenant, and no other one by its path (rule 3)', () => {
    expect(directory.tenantOf('bairro-token')).toBe('bairro');
    expect(directory.tenantOf('bairro-token', 'bairro')).toBe('bairro');
    expect(directory.tenantOf('bairro-token', 'acme')).toBeNull();
  });

  it.each([undefined, '', 'Bearer ', 'acme-token', 'acme-token-new ', 'Digest acme-token-new'])(
    'are unknown in the header %s',
    (header) => {
      expect(directory.tenantOf(header)).toBeNull();
    },
  );

  it('are required even if none is configured', () => {
    const none = new TokenDirectory([{ id: 'acme', tokens: [] }]);
    expect(none.tenantOf('')).toBeNull();
    expect(none.tenantOf(undefined)).toBeNull();
  });
});
