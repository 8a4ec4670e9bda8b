import { describe, expect, it } from '@jest/globals';
import { differingTexts } from '../testing/flat-texts.ts';
import { KIT_EN } from './kit-en.ts';
import { KIT_PT } from './kit-pt-br.ts';
import { firstLanguage } from './language.ts';

describe('firstLanguage', () => {
  it('is the chosen one, else the first of the browser that the page has, else Portuguese', () => {
    expect(firstLanguage('en', ['pt-BR'])).toBe('en');
    expect(firstLanguage(null, ['fr', 'en-US', 'pt'])).toBe('en');
    expect(firstLanguage('xx', ['pt-PT', 'en'])).toBe('pt-BR');
    expect(firstLanguage(null, ['fr'])).toBe('pt-BR');
  });
});

describe('the texts of the kit', () => {
  it('have the same names to fill in in both languages, and are nowhere empty', () => {
    expect([...differingTexts(KIT_PT, KIT_EN), ...differingTexts(KIT_EN, KIT_PT)]).toEqual([]);
  });

  it('are found to differ where one is empty or lacks a name', () => {
    expect(differingTexts({ a: { b: '{{x}}', c: ' ' } }, { a: { b: '', c: ' ' } })).toEqual(['a.b', 'a.c']);
  });
});
