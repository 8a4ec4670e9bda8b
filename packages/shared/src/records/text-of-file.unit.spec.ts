import { describe, expect, it } from '@jest/globals';
import { textOfFile } from './text-of-file.ts';

const TABLE = { isTable: true };
const LINES = { isTable: false };
const WORDS = 'externalReference;name\n1;Pão de queijo – 400 g\n2;Açúcar “cristal” €\n';
/** The same words in Windows-1252. */
const EXCEL = Buffer.from(
  WORDS.replace('–', '\u0096').replace('“', '\u0093').replace('”', '\u0094').replace('€', '\u0080'),
  'latin1',
);

describe('the text of a file', () => {
  it('is UTF-8, also with replacement characters of its own', () => {
    for (const text of [WORDS, `\uFEFF${WORDS}`, 'a;\uFFFD\n1;é', ''])
      expect(textOfFile(Buffer.from(text), TABLE)).toEqual({ kind: 'text', text, encoding: 'utf-8' });
  });

  it('is Windows-1252 if it is a table that is not UTF-8', () => {
    expect(textOfFile(EXCEL, TABLE)).toEqual({ kind: 'text', text: WORDS, encoding: 'windows-1252' });
  });

  it.each([
    ['lines of JSON in Windows-1252', EXCEL, LINES, { line: 2, byte: 'E3' }],
    ['a table of both encodings', Buffer.concat([Buffer.from('a;\uFFFD\né\n'), EXCEL]), TABLE, { line: 4, byte: 'E3' }],
    ['a table in UTF-16', Buffer.from('\uFEFFa;b\n1;é', 'utf16le'), TABLE, { line: 1, byte: 'FF' }],
    ['a byte that Windows-1252 lacks', Buffer.from('a\nb\x81', 'latin1'), TABLE, { line: 2, byte: '81' }],
  ])('is not read from %s, and the first wrong byte is named', (_what, content, kind, at) => {
    expect(textOfFile(content, kind)).toEqual({ kind: 'wrong-byte', ...at });
  });
});
