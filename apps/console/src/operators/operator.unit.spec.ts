import { describe, expect, it } from '@jest/globals';
import { may, mayEverywhere, rightsBy } from './operator.ts';

describe('rights', () => {
  const tenants = ['acme', 'norte'];
  const operatorOf = (...roles: Parameters<typeof rightsBy>[0]) => ({
    name: 'maria',
    rights: rightsBy(roles, tenants),
  });

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
