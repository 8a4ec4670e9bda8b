import { describe, expect, it } from '@jest/globals';
import { DEFAULT_BREAKER_SETTINGS, type ScopedEvidence } from './circuit-breaker.ts';
import { TenantPassage } from './tenant-passage.ts';

const REFUSED: ScopedEvidence = { scope: 'tenant', evidence: { kind: 'credentials' } };
const ANSWERED: ScopedEvidence = { scope: 'tenant', evidence: { kind: 'answered' } };

describe('the pauses of a tenant', () => {
  it('begin when a breaker opens, stay through failed trial calls, and end with an answer (rule 17)', async () => {
    let now = 1_000;
    const settings = { concurrency: 1, breaker: DEFAULT_BREAKER_SETTINGS, now: () => now, random: () => 0 };
    const passage = new TenantPassage(settings);
    const call = (evidence: ScopedEvidence) =>
      passage.pass(
        'orders',
        async () => null,
        () => evidence,
      );
    expect(passage.pauses()).toEqual([]);
    await call(REFUSED);
    const [first] = passage.pauses();
    expect(first).toMatchObject({ route: null, cause: 'credentials', since: 1_000 });
    now = first!.until;
    await call(REFUSED);
    expect(passage.pauses()).toMatchObject([{ since: 1_000 }]);
    now = passage.pauses()[0]!.until;
    await call(ANSWERED);
    expect(passage.pauses()).toEqual([]);
  });
});
