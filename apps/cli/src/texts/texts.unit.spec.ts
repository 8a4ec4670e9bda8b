import { describe, expect, it } from '@jest/globals';
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

describe('sayIn', () => {
  it('fills in what a text names', () => {
    expect(sayIn('en')('discarded', { id: '17' })).toBe('Entry 17 was discarded.');
    expect(sayIn('pt-BR')('discarded', { id: '17' })).toBe('A entrada 17 foi descartada.');
  });

  it('fills in a value as it is, whatever it looks like', () => {
    expect(sayIn('en')('discarded', { id: "{id} $& $'" })).toBe("Entry {id} $& $' was discarded.");
  });
});
