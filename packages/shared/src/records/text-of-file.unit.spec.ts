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

/** The Portuguese letters in code page 850, with their bytes. */
const LETTERS = 'ÇéâàçêÉôáíóúÁÂãÃÊÍÓÔõÕÚ';
const BYTES = [
  0x80, 0x82, 0x83, 0x85, 0x87, 0x88, 0x90, 0x93, 0xa0, 0xa1, 0xa2, 0xa3, 0xb5, 0xb6, 0xc6, 0xc7, 0xd2, 0xd6, 0xe0,
  0xe2, 0xe4, 0xe5, 0xe9,
];
const inCodePage850 = (text: string) =>
  Buffer.from(Array.from(text, (letter) => BYTES[LETTERS.indexOf(letter)] ?? letter.charCodeAt(0)));
const WITH_ACCENTS = [
  'AÇÚCAR',
  'CAFÉ',
  'PÁTRIA',
  'café',
  'maçã',
  'pão',
  'bebê',
  'avó',
  'baú',
  'aí',
  'picolés',
  'lâmpada',
];

describe('the text of a file', () => {
  it.each(WITH_ACCENTS)('is not read from %s in code page 850, and read from Windows-1252', (word) => {
    const text = `externalReference;name\n1;${word} 1 kg\n`;
    expect(textOfFile(inCodePage850(text), TABLE)).toMatchObject({ kind: 'wrong-byte', line: 2 });
    expect(textOfFile(Buffer.from(text, 'latin1'), TABLE)).toEqual({ kind: 'text', text, encoding: 'windows-1252' });
  });

  it('is Windows-1252 with the signs of that, where they belong', () => {
    const text = 'nome;preço\nd´água Nº5 60°C;R$ 5 £ ¢ ª\n';
    expect(textOfFile(Buffer.from(text, 'latin1'), TABLE)).toMatchObject({ kind: 'text', text });
  });

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
