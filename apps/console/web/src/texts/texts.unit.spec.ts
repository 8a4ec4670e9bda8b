import { describe, expect, it } from '@jest/globals';
import { EN } from './en.ts';
import { firstLanguage } from './language.ts';
import { PT_BR } from './pt-br.ts';

type Texts = { readonly [name: string]: string | Texts };

function flat(texts: Texts, path = ''): Array<readonly [string, string]> {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${path}${name}`, text] as const] : flat(text, `${path}${name}.`),
  );
}

const holesOf = (text: string) => new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]));

describe('texts', () => {
  it('have the same names to fill in in both languages', () => {
    const english = new Map(flat(EN));
    for (const [key, text] of flat(PT_BR)) {
      expect([key, holesOf(english.get(key) ?? '')]).toEqual([key, holesOf(text)]);
    }
  });

  it('are nowhere empty', () => {
    expect([...flat(PT_BR), ...flat(EN)].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

describe('firstLanguage', () => {
  it('is the chosen one, else the first of the browser that the page has, else Portuguese', () => {
    expect(firstLanguage('en', ['pt-BR'])).toBe('en');
    expect(firstLanguage(null, ['fr', 'en-US', 'pt'])).toBe('en');
    expect(firstLanguage('xx', ['pt-PT', 'en'])).toBe('pt-BR');
    expect(firstLanguage(null, ['fr'])).toBe('pt-BR');
  });
});
