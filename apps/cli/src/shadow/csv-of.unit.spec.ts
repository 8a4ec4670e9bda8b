import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv-of.ts';

describe('a table as CSV', () => {
  it('keeps quotes, commas and lines, and has a column for each name', () => {
    const text = csvOf(
      ['entity', 'shop', 'lateMs'],
      [{ entity: '1', shop: '{"a":"b, c\n"}', lateMs: 7 }, { entity: '2' }],
    );
    expect(text).toBe('"entity","shop","lateMs"\r\n"1","{""a"":""b, c\n""}","7"\r\n"2","",""\r\n');
  });

  it('has nothing that a spreadsheet runs', () => {
    expect(csvOf(['entity'], [{ entity: '=HYPERLINK("x")' }])).toBe('"entity"\r\n"\'=HYPERLINK(""x"")"\r\n');
  });
});
