import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv-text.ts';

describe('csvOf', () => {
  it('quotes what would end a cell or a line', () => {
    expect(csvOf([['a;b', 'say "x"', 'two\nlines', null]])).toBe('\uFEFF"a;b";"say ""x""";"two\nlines";\r\n');
  });

  it('makes no formula of a text that somebody sent, and leaves numbers alone', () => {
    expect(csvOf([['=1+1', '+5', '@x', '-A1', '-12,5']])).toBe("\uFEFF'=1+1;'+5;'@x;'-A1;-12,5\r\n");
    expect(csvOf([['\n=1', '＝1', '＋1', '－1', '＠x']])).toBe("\uFEFF\"'\n=1\";'＝1;'＋1;'－1;'＠x\r\n");
  });
});
