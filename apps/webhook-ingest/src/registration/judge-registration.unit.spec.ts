import { describe, expect, it } from '@jest/globals';
import { ALL_EVENT_NAMES } from '@gondola/shared/topics/event-names';
import { judgeRegistration, type RegistrationWish } from './judge-registration.ts';

const TOKEN = 'x7Qm2vR9Lk4TzP8sWb3NcY6hJd1FgA5u';
const WISH: RegistrationWish = {
  tenant: 'acme',
  url: 'https://erp.example.com/webhooks/platform/acme',
  events: [],
  tokens: [TOKEN],
  platformUrl: 'https://shop.example.com',
  profileEvents: [],
};
const LOCAL = { platformUrl: 'http://127.0.0.1:8090' };
const judged = (more: Partial<RegistrationWish>) => judgeRegistration({ ...WISH, ...more });
const codes = (more: Partial<RegistrationWish>) => judged(more).problems.map(({ code }) => code);

describe('a registration', () => {
  it('is for all documented events, the profile’s and those that were wished, each once (rule 37)', () => {
    const plan = judged({
      profileEvents: ['Brand_Created'],
      events: ['Brand_Created', 'Order_Updated', 'Category_Updated'],
    });
    expect(plan.events).toEqual([...ALL_EVENT_NAMES, 'Brand_Created', 'Category_Updated']);
    expect(plan).toMatchObject({ url: WISH.url, problems: [], warnings: [] });
  });

  it.each<[string, string, string[]]>([
    ['no address', 'erp.example.com', ['URL_INVALID']],
    ['another scheme', 'ftp://erp.example.com/', ['URL_INVALID']],
    ['a space', 'https://erp.example.com/webhooks/platform/acme ', ['URL_INVALID']],
    ['a line end', 'https://erp.example.com/\nwebhooks', ['URL_INVALID']],
    ['letters that are none of ASCII', 'https://érp.example.com/', ['URL_INVALID']],
    ['a backslash', 'https://erp.example.com\\@127.0.0.1/webhooks/platform', ['URL_INVALID']],
    ['a third slash', 'https:///erp.example.com/webhooks/platform', ['URL_INVALID']],
    ['http', 'http://erp.example.com/webhooks/platform', ['URL_NOT_HTTPS']],
    ['a password', 'https://user:secret@erp.example.com/webhooks/platform', ['URL_HAS_CREDENTIALS']],
    ['a fragment', 'https://erp.example.com/webhooks/platform#x', ['URL_HAS_FRAGMENT']],
    ['a private host', 'https://192.168.1.10/webhooks/platform', ['URL_NOT_PUBLIC']],
    [
      'loopback, while the platform is elsewhere',
      'http://127.0.0.1/webhooks/platform',
      ['URL_NOT_HTTPS', 'URL_NOT_PUBLIC'],
    ],
    ['another tenant', 'https://erp.example.com/webhooks/platform/bairro', ['URL_OF_ANOTHER_TENANT']],
  ])('is not possible with %s in its url (rule 37)', (_, url, expected) => {
    expect(codes({ url })).toEqual(expected);
  });

  it('does not repeat a password that somebody put into the url', () => {
    const plan = judged({ url: 'https://somebody:s3cr3t@erp.example.com/webhooks/platform' });
    expect(JSON.stringify(plan)).not.toMatch(/s3cr3t|somebody/);
    expect(JSON.stringify(judged({ url: 'https://somebody:s3cr3t@' }))).not.toContain('s3cr3t');
  });

  it('may be for this machine or network, with a warning, if the platform is there too', () => {
    const inMachine = judged({ ...LOCAL, url: 'http://127.0.0.1:8081/webhooks/platform' });
    const compose = {
      platformUrl: 'http://platform-sandbox:8090',
      url: 'http://webhook-ingest:8081/webhooks/platform',
    };
    for (const plan of [inMachine, judged(compose)]) {
      expect(plan.problems).toEqual([]);
      expect(plan.warnings.map(({ code }) => code)).toEqual(['URL_LOCAL']);
    }
    const unreachable = ['URL_NOT_HTTPS', 'URL_NOT_PUBLIC'];
    expect(codes({ ...LOCAL, url: 'http://192.168.0.9/webhooks/platform' })).toEqual(unreachable);
    expect(codes({ ...compose, url: 'http://127.0.0.1:8081/webhooks/platform' })).toEqual(unreachable);
  });

  it('warns of a path that only a proxy could lead here', () => {
    expect(judged({ url: 'https://erp.example.com/hook' })).toMatchObject({
      problems: [],
      warnings: [{ code: 'URL_PATH' }],
    });
    expect(judged({ url: 'https://erp.example.com/gondola/webhooks/platform/' }).warnings).toEqual([]);
  });

  it.each<[string, Partial<RegistrationWish>, string]>([
    ['no token', { tokens: [] }, 'TOKEN_MISSING'],
    ['a token that can be guessed', { tokens: ['acme-webhook-token-of-today-0001'] }, 'TOKEN_WEAK'],
    ['a weak first token, whatever the second is', { tokens: ['a'.repeat(40), TOKEN] }, 'TOKEN_WEAK'],
    ['an event name that is none', { events: ['Order Updated'] }, 'EVENT_NAME_INVALID'],
  ])('is not possible with %s (rule 37)', (_, more, code) => {
    expect(codes(more)).toEqual([code]);
  });

  it('reveals nothing of the token', () => {
    for (const token of [TOKEN, 'qzv', 'acme-webhook-token-of-today-0001']) {
      expect(JSON.stringify(judged({ tokens: [token] }))).not.toContain(token);
    }
  });

  it('has one sentence for each problem, with what would be right', () => {
    const all = judged({ url: 'http://u:p@10.0.0.1/webhooks/platform/x#f', tokens: ['a'], events: ['-'] }).problems;
    expect(all).toHaveLength(7);
    for (const { message } of all) expect(message).toMatch(/^[A-Z][^\n]{20,250}$/);
  });
});
