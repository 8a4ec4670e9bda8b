import { describe, expect, it } from '@jest/globals';
import { EXIT, type Block } from '../output/report.ts';
import { print } from '../output/print.ts';
import { registrationBlocks, registrationVerdict, stateBlocks } from './registration.ts';
import { sayIn } from '../texts/texts.ts';

const say = sayIn('en');
const PLAN = {
  tenant: 'acme',
  url: 'https://g.example.com/webhooks/platform/acme',
  events: ['Order_Updated', 'Brand_Created'],
  outcome: 'dry-run',
  message: 'x',
  permanence: 'y',
  problems: [],
  warnings: [{ code: 'URL_PATH', message: 'The url does not end so' }],
  attempts: [],
};
const TRIED = { startedAt: '2026-11-20T13:15:02.114Z', url: PLAN.url, platformMessage: '400 no' };

function text(blocks: readonly Block[]): string {
  return print({ json: null, blocks, notes: [], exit: EXIT.done }, { json: false, width: null }).stdout;
}

describe('registrationVerdict', () => {
  it.each([
    ['registered', 0, /can never be changed/],
    ['exists-ours', 0, /registered here before/],
    ['exists-probably-ours', 1, /probably the one of an attempt/],
    ['exists', 1, /not registered here/],
    ['refused', 1, /refused the registration \(400 no\)/],
    ['unknown', 1, /may be registered or not/],
    ['not-sent', 1, /Nothing reached the platform \(400 no\)/],
    ['of a later version', 1, /The app’s own word/],
  ])('explains %s, which ends with %d (rule 37)', (outcome, exit, sentence) => {
    const answer = { ...PLAN, outcome, message: 'The app’s own word', attempts: [{ ...TRIED, outcome }] };
    const verdict = registrationVerdict(answer, say);
    expect(verdict.exit).toBe(exit);
    expect(verdict.sentence).toMatch(sentence);
  });

  it('has a plan confirmed before anything is sent, with the fact that it can never be changed (rule 37)', () => {
    expect(registrationVerdict(PLAN, say)).toEqual({
      sentence: expect.stringMatching(/never be changed.*--confirm/),
      exit: 0,
    });
  });

  it('is no success where the plan cannot be carried out', () => {
    const problems = [
      { code: 'TOKEN_WEAK', message: 'The token is weak' },
      { code: 'URL_NOT_HTTPS', message: 'The url begins with https://' },
    ];
    const { sentence, exit } = registrationVerdict({ ...PLAN, problems }, say);
    expect(sentence).toContain('The token is weak; The url begins with https://');
    expect(exit).toBe(1);
  });
});

describe('the text of a registration', () => {
  it('has the address, the events, the warnings and what was tried', () => {
    const shown = text(registrationBlocks({ ...PLAN, attempts: [{ ...TRIED, outcome: 'refused' }] }, say));
    expect(shown).toContain('url      https://g.example.com/webhooks/platform/acme\n');
    expect(shown).toContain('Events (2): Order_Updated, Brand_Created\n');
    expect(shown).toMatch(/^2026-11-20 13:15:02Z {2}refused {2}https:\S+ {2}400 no$/m);
    expect(shown).toContain('Careful: The url does not end so\n');
  });

  it('states that a tenant has no webhook', () => {
    const state = {
      tenant: 'acme',
      url: null,
      events: null,
      outcome: 'none',
      message: 'x',
      lastNotificationAt: null,
      attempts: [],
    };
    expect(text(stateBlocks(state, say))).toMatch(/^tenant +acme\n[^]*\nNo webhook was ever registered from here\.\n$/);
  });
});
