import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@gondola/shared/durations';
import { decideAwaiting, missingReasons, type MadeReference, waitingFromText } from './awaiting.ts';
import { overtakenToText } from './overtaking.ts';

const NOW = Date.parse('2026-11-20T13:00:00.000Z');
const brand: MadeReference = { kind: 'brand', externalReference: 'serra', field: 'brandExternalReference' };
const category: MadeReference = { kind: 'category', externalReference: 'frios', field: 'categoryExternalReference' };
const forBoth = [
  { kind: 'brand', externalReference: 'serra' },
  { kind: 'category', externalReference: 'frios' },
] as const;
const first = { for: forBoth, announced: 1, since: '2026-11-20T13:00:00.000Z' };

describe('a record whose references are not known', () => {
  it('is sent if no reference is missing', () => {
    expect(decideAwaiting([], null, NOW, DAY_MS)).toEqual({ kind: 'go' });
    expect(decideAwaiting([], first, NOW + 2 * DAY_MS, DAY_MS)).toEqual({ kind: 'go' });
  });

  it('publishes once what it waits for, and again only if that changes (contract, Results)', () => {
    expect(decideAwaiting([brand, category], null, NOW, DAY_MS)).toEqual({ kind: 'announce', waiting: first });
    expect(decideAwaiting([category, brand], first, NOW + 1_000, DAY_MS)).toEqual({ kind: 'wait', ms: DAY_MS - 1_000 });
    expect(decideAwaiting([category], first, NOW + 1_000, DAY_MS)).toEqual({
      kind: 'announce',
      waiting: { for: [forBoth[1]], announced: 2, since: first.since },
    });
  });

  it('waits from the first time on, whatever changes, and ends at the deadline (rule 24)', () => {
    expect(decideAwaiting([category], first, NOW + DAY_MS, DAY_MS)).toEqual({ kind: 'expired', missing: [category] });
    expect(missingReasons([category], 'pt-BR')).toMatchObject([
      { field: 'categoryExternalReference', code: 'REFERENCE_MISSING', hint: 'frios' },
    ]);
  });

  it('stores between steps what it waits for', () => {
    expect(waitingFromText(overtakenToText({ waiting: first, over: null }))).toEqual(first);
    expect(waitingFromText(null)).toBeNull();
    expect(waitingFromText('{"body":{},"attempts":[]}')).toBeNull();
  });
});
