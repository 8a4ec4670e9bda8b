import { expect, it } from '@jest/globals';
import { PAGE_FORMS, pageAnswer, type OwnAnswer } from './page-answer.ts';

function bodies(own: OwnAnswer): string[] {
  return PAGE_FORMS.map((_, index) => pageAnswer(undefined, index / PAGE_FORMS.length, own).body);
}

it('a page is no answer of its route: no empty list of a list, no missing body of a call, no JSON of an open read', () => {
  expect(bodies({ isList: false })).toEqual(expect.arrayContaining(['', '[]', '{}', '42', 'OK']));
  expect(bodies({ isList: true })).not.toContain('[]');
  expect(bodies({ isList: false, notShown: 'no body' })).not.toContain('');
  const open = bodies({ isList: false, notShown: 'any JSON' });
  expect(open).toEqual(expect.arrayContaining(['', 'OK']));
  expect(open.filter((body) => ['{}', '[]', 'null', '42', '"OK"'].includes(body))).toEqual([]);
});

it('a named page is answered whatever the route', () => {
  expect(pageAnswer('empty-list', 0.5, { isList: true }).body).toBe('[]');
});
