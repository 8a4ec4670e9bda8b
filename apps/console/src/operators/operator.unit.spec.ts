import { operatorName } from '@gondola/service-kit/logging/operator';
import { describe, expect, it } from '@jest/globals';
import { looksProvided, may, mayEverywhere, rightsBy, shownName } from './operator.ts';

describe('rights', () => {
  const tenants = ['acme', 'norte'];
  const operatorOf = (...roles: Parameters<typeof rightsBy>[0]) => ({ rights: rightsBy(roles, tenants) });

  it('are the highest of all sets of roles, and act includes see', () => {
    const operator = operatorOf({ acme: 'see' }, { '*': 'see', acme: 'act' });
    expect([may(operator, 'see', 'acme'), may(operator, 'act', 'acme')]).toEqual([true, true]);
    expect([may(operator, 'see', 'norte'), may(operator, 'act', 'norte')]).toEqual([true, false]);
  });

  it('are on every shop only if no shop is missing', () => {
    expect(mayEverywhere(operatorOf({ acme: 'see', norte: 'act' }), 'see', tenants)).toBe(true);
    expect(mayEverywhere(operatorOf({ acme: 'act' }), 'see', tenants)).toBe(false);
    expect(mayEverywhere(operatorOf({ '*': 'act' }), 'see', [])).toBe(false);
  });

  it('are none without a role, and none on a shop that there is not', () => {
    expect(operatorOf({}).rights.size).toBe(0);
    expect(may(operatorOf({ '*': 'act' }), 'see', 'constructor')).toBe(false);
  });
});

describe('the name of who signed in by a provider', () => {
  const names = ['maria', 'local', 'maria (SSO)', 'é'.repeat(100), '😀'.repeat(100)];

  it.each(names)('is no name that a local operator may have, and one that the apps take: %s', (name) => {
    const shown = shownName({ method: 'oidc', name });
    expect(looksProvided(shown)).toBe(true);
    expect(operatorName(shown)).toBe(shown);
  });

  it('looks like one in other letters, too', () => {
    for (const name of ['ana (sso)', 'ana（ＳＳＯ）', 'ana(SSO) ']) expect(looksProvided(name)).toBe(true);
    for (const name of ['ana', 'ana (SSO) silva', 'sso']) expect(looksProvided(name)).toBe(false);
  });

  it('is that of the file for local operators', () => {
    expect(shownName({ method: 'password', name: 'maria' })).toBe('maria');
  });
});
