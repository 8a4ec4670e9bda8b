import { describe, expect, it } from '@jest/globals';
import { type AskedPlatform, platformChecks } from './platform-checks.ts';
import { readStatements } from './statements.adapter.ts';

const SILENT: AskedPlatform = {
  prefix: 'test',
  policy: '22222222-2222-4222-8222-222222222222',
  account: '11111111-1111-4111-8111-111111111111',
  webhook: {},
  ask: async () => ({ status: 0, text: '' }),
  until: (look) => look(),
  notes: () => [],
};

describe('each statement that a platform is checked for', () => {
  it('is one of CONFORMANCE.md, word for word, and is checked once', async () => {
    const known = await readStatements();
    const asked = (await platformChecks(SILENT)).map(({ section, statement }) => `${section}: ${statement}`);
    expect(asked.filter((each) => !known.includes(each))).toEqual([]);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(100);
  });

  it('fails for a platform that answers nothing, whatever else', async () => {
    const checks = await platformChecks(SILENT);
    const verdicts = await Promise.all(checks.map(async ({ run }) => run()));
    expect(checks.filter((_, at) => verdicts[at]?.kind !== 'failed').map(({ statement }) => statement)).toEqual([]);
  });
});
