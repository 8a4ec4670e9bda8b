import { describe, expect, it } from '@jest/globals';
import { COMMAND_ROUTES } from '../operations-api/command-routes.ts';
import { wordsOf } from '../operations-api/requests.ts';
import { EN } from './en.ts';
import { PT_BR } from './pt-br.ts';
import { sayIn } from './texts.ts';

type Key = keyof typeof PT_BR;
const keys = Object.keys(PT_BR) as Key[];

function holes(text: string): string[] {
  return Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).toSorted();
}

describe('the catalog of texts', () => {
  it('has the same keys in both languages', () => {
    expect(Object.keys(EN).toSorted()).toEqual(keys.toSorted());
  });

  it.each(keys)('%s has a text in both languages, with the same placeholders', (key) => {
    for (const text of [PT_BR[key], EN[key]]) expect(text.trim()).not.toBe('');
    expect(holes(EN[key])).toEqual(holes(PT_BR[key]));
  });

  it('has every sentence that is no column or heading translated', () => {
    const sentences = keys.filter((key) => PT_BR[key].split(' ').length > 3);
    expect(sentences.filter((key) => EN[key] === PT_BR[key])).toEqual([]);
  });
});

describe('the words of a command', () => {
  const commands = Object.keys(COMMAND_ROUTES).flatMap((name) => wordsOf(name) ?? []);

  it.each(commands)('that calls a route are in both languages: $en', ({ pt, en }) => {
    for (const text of [pt, en]) expect(text).toMatch(/^\p{Lu}.*[^.]$/u);
    expect(en).not.toBe(pt);
  });
});

describe('sayIn', () => {
  it('fills in what a text names', () => {
    expect(sayIn('en')('stored', { id: '17' })).toBe('Entry 17 was understood and stored as a notification.');
    expect(sayIn('pt-BR')('stored', { id: '17' })).toBe('A entrada 17 foi entendida e armazenada como notificação.');
    expect(sayIn('en')({ pt: 'todas', en: 'all' })).toBe('all');
  });

  it('fills in a value as it is, whatever it looks like', () => {
    const id = "{id} $& $'";
    expect(sayIn('en')('stored', { id })).toBe(`Entry ${id} was understood and stored as a notification.`);
  });
});
