import { describe, expect, it } from '@jest/globals';
import {
  OUTCOME_SENTENCES,
  REGISTRATION_OUTCOMES,
  type RegistrationOutcome,
  registrationOutcome,
  standingRegistration,
} from './registration-outcome.ts';

type Outcomes = ReadonlyArray<RegistrationOutcome | null>;
const attempts = (outcomes: Outcomes) => outcomes.map((outcome, index) => ({ outcome, index }));
const after = (answer: Parameters<typeof registrationOutcome>[0], ...earlier: Outcomes) =>
  registrationOutcome(answer, attempts(earlier));
const EXISTS = { kind: 'exists' } as const;

describe('the end of a registration', () => {
  it('is the platform’s answer, if there is one', () => {
    expect(after({ kind: 'registered' })).toBe('registered');
    expect(after({ kind: 'refused' })).toBe('refused');
    expect(after({ kind: 'unknown' })).toBe('unknown');
    expect(after({ kind: 'unavailable' })).toBe('not-sent');
  });

  it.each<[string, Outcomes, RegistrationOutcome]>([
    ['nothing was tried before', [], 'exists'],
    ['nothing ever reached the platform', ['not-sent', 'refused'], 'exists'],
    ['it was registered here', ['registered'], 'exists-ours'],
    ['it was registered here, and that is known', ['unknown', 'registered', 'exists-ours'], 'exists-ours'],
    ['a 500 or a time-out was before', ['unknown'], 'exists-probably-ours'],
    ['the process ended in an attempt', [null], 'exists-probably-ours'],
    ['it was probably ours already', ['unknown', 'exists-probably-ours'], 'exists-probably-ours'],
    ['it was somebody else’s before the answer was lost', ['exists', 'unknown'], 'exists'],
  ])('is %#: a 409 where %s (rule 37)', (_, earlier, expected) => {
    expect(after(EXISTS, ...earlier)).toBe(expected);
  });

  it('has a sentence each', () => {
    for (const outcome of REGISTRATION_OUTCOMES) expect(OUTCOME_SENTENCES[outcome]).toMatch(/^[A-Z].{30,}\.$/);
  });
});

describe('what stands', () => {
  it.each<[string, Outcomes, RegistrationOutcome | 'none', number | null]>([
    ['nothing', [], 'none', null],
    ['what was registered', ['unknown', 'registered', 'exists-ours', 'not-sent'], 'registered', 1],
    [
      'the first whose answer was lost',
      ['not-sent', 'unknown', null, 'exists-probably-ours'],
      'exists-probably-ours',
      1,
    ],
    ['not known, after a lost answer', ['unknown', 'not-sent'], 'unknown', null],
    ['not known, after a crash', [null], 'unknown', null],
    ['somebody else’s', ['exists', 'not-sent'], 'exists', null],
    ['nothing, after a refusal', ['refused'], 'refused', null],
  ])('is %s', (_, outcomes, outcome, index) => {
    const standing = standingRegistration(attempts(outcomes));
    expect(standing.outcome).toBe(outcome);
    expect(standing.attempt?.index ?? null).toBe(index);
  });
});
