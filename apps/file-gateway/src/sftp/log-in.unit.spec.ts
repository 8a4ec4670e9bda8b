import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { asksForPassword, type LogInMethod, type LogInRefusal, nextMethod } from './log-in.ts';

const refusals = fc.array(
  fc.record({
    left: fc.subarray(['publickey', 'password', 'keyboard-interactive', 'hostbased']),
    isPartial: fc.boolean(),
  }),
  { minLength: 3, maxLength: 3 },
);

/** Methods that are tried at a server that refuses each with one of these answers, and why there is none left. */
function play(answers: readonly LogInRefusal[]): { readonly tried: readonly LogInMethod[]; readonly end: string } {
  const tried: LogInMethod[] = [];
  for (const last of [null, ...answers]) {
    const step = nextMethod(tried, last);
    if ('end' in step) return { tried, end: step.end };
    tried.push(step.method);
  }
  throw new Error('It does not end');
}

describe('logging in by a password (rule 34)', () => {
  it('asks for the list, and tries each listed method once, and none after one that was not enough', () => {
    fc.assert(
      fc.property(refusals, (answers) => {
        const { tried, end } = play(answers);
        const [first, ...shown] = tried;
        expect(first).toBe('none');
        expect(new Set(shown).size).toBe(shown.length);
        const wasListed = (method: LogInMethod, at: number): boolean =>
          answers[at]!.left.length === 0 || answers[at]!.left.includes(method);
        expect(shown.every(wasListed)).toBe(true);
        const partial = answers.findIndex(({ isPartial }) => isPartial);
        expect(partial >= 0 && partial < tried.length - 1).toBe(false);
        const failed = shown.length > 0 ? 'credentials' : 'no-password';
        expect(end).toBe(answers[tried.length - 1]!.isPartial ? 'log-in-question' : failed);
      }),
    );
  });

  it('shows the password to one first question without echo, and to no other', () => {
    const prompts = fc.array(fc.record({ echo: fc.option(fc.boolean(), { nil: undefined }) }), { maxLength: 4 });
    fc.assert(
      fc.property(prompts, fc.boolean(), (asked, hasAnswered) => {
        const isHidden = asked.length === 1 && asked[0]!.echo !== true;
        expect(asksForPassword(asked, hasAnswered)).toBe(isHidden && !hasAnswered);
      }),
    );
  });
});
