import { describe, expect, it } from '@jest/globals';
import { credentialFingerprint, type CredentialsConfig } from './credential.ts';
import type { SignInMethod } from './operator.ts';

function configOf({ hash = 'hash', link = 'secret', issuer = 'https://login.example.com' } = {}): CredentialsConfig {
  return {
    operators: { users: new Map([['maria', { passwordHash: hash, roles: {} }]]), groups: new Map() },
    console: { linkSecret: link },
    oidc: { issuer },
  };
}

const NOTHING: CredentialsConfig = {
  operators: { users: new Map(), groups: new Map() },
  console: { linkSecret: null },
  oidc: null,
};

const signedIn = (
  method: SignInMethod,
  name = 'maria',
  subject: string | null = method === 'oidc' ? 'sub-1' : null,
) => ({
  method,
  name,
  subject,
});

const METHODS = ['password', 'link', 'oidc'] as const;
const changes = { password: { hash: 'other' }, link: { link: 'other' }, oidc: { issuer: 'https://other.example.com' } };

describe('the fingerprint of a credential', () => {
  it.each(METHODS)('stays as long as the credential does, and changes with that alone: %s', (method) => {
    const before = credentialFingerprint(signedIn(method), configOf());
    expect(before).toHaveLength(32);
    for (const each of METHODS) {
      const after = credentialFingerprint(signedIn(method), configOf(changes[each]));
      expect({ changed: each, isSame: after?.equals(before!) }).toEqual({ changed: each, isSame: each !== method });
    }
  });

  it.each(METHODS)('is none without the credential: %s', (method) => {
    expect(credentialFingerprint(signedIn(method), NOTHING)).toBe(null);
  });

  it('is of one operator', () => {
    const config = configOf();
    const found = [
      credentialFingerprint(signedIn('password'), config),
      credentialFingerprint(signedIn('link'), config),
      credentialFingerprint(signedIn('oidc'), config),
      credentialFingerprint(signedIn('oidc', 'maria', 'sub-2'), config),
    ];
    expect(new Set(found.map((each) => each?.toString('hex'))).size).toBe(found.length);
    expect(credentialFingerprint(signedIn('oidc', 'another name'), config)).toEqual(found[2]);
    expect(credentialFingerprint(signedIn('password', 'joao'), config)).toBe(null);
    expect(credentialFingerprint(signedIn('oidc', 'maria', null), config)).toBe(null);
  });
});
