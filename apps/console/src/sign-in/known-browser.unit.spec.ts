import { describe, expect, it } from '@jest/globals';
import { browserKnownTo, marksAfter } from './known-browser.ts';

const MARIA = { id: 'a-browser-of-maria', name: 'maria', passwordHash: 'scrypt:of maria' };
const JOAO = { id: 'a-browser-of-joao-', name: 'joao', passwordHash: 'scrypt:of joao' };

describe('a browser', () => {
  it('is known to those who signed in with it, until their password changes', () => {
    const marks = marksAfter(marksAfter(undefined, MARIA), JOAO);
    expect(browserKnownTo(marks, 'maria', MARIA.passwordHash)).toBe(MARIA.id);
    expect(browserKnownTo(marks, 'joao', JOAO.passwordHash)).toBe(JOAO.id);
    expect(browserKnownTo(marks, 'maria', 'scrypt:a new one')).toBeNull();
    expect(browserKnownTo(marks, 'outra', MARIA.passwordHash)).toBeNull();
  });

  it.each([undefined, '', 'x', '~~~', `${MARIA.id}.`, `${MARIA.id}.${'A'.repeat(43)}`, 'x'.repeat(10_000)])(
    'is unknown with a mark that nobody gave it: %s',
    (marks) => expect(browserKnownTo(marks, 'maria', MARIA.passwordHash)).toBeNull(),
  );

  it('keeps the marks of its last five operators, one of each', () => {
    let marks: string | undefined;
    for (let person = 0; person < 9; person += 1) marks = marksAfter(marks, { ...MARIA, name: `p${person}` });
    marks = marksAfter(marks, { ...MARIA, name: 'p8', id: 'another-browser-id' });
    expect(marks.split('~')).toHaveLength(5);
    const known = Array.from({ length: 9 }, (_, person) => browserKnownTo(marks, `p${person}`, MARIA.passwordHash));
    expect(known.map((id) => id !== null)).toEqual([false, false, false, false, true, true, true, true, true]);
    expect(known[8]).toBe('another-browser-id');
  });
});
