import { describe, expect, it } from '@jest/globals';
import { recordsOf } from './read-records.ts';

describe('recordsOf', () => {
  it('takes a record a line, with the number of its line', () => {
    expect(recordsOf('{"a":1.10}\r\n\n nothing \n', 'json')).toEqual([
      { line: 1, text: '{"a":1.10}' },
      { line: 3, text: 'nothing' },
    ]);
  });

  it('takes one record over several lines as it is', () => {
    expect(recordsOf('{\n "a": 1.10\n}', 'json')).toEqual([{ line: 1, text: '{\n "a": 1.10\n}' }]);
  });

  it('takes the records of a list with their digits', () => {
    expect(recordsOf('[{"a":1.10},{"b":12345678901234567890}]', 'json')).toEqual([
      { line: 1, text: '{"a":1.10}' },
      { line: 2, text: '{"b":12345678901234567890}' },
    ]);
  });

  it('takes the rows of a table as the command line does, with their lines', () => {
    expect(recordsOf('externalReference;name\n1;"Pão\nde queijo"\n2;Açaí\n', 'csv')).toEqual([
      { line: 2, text: '{"externalReference":"1","name":"Pão\\nde queijo"}' },
      { line: 4, text: '{"externalReference":"2","name":"Açaí"}' },
    ]);
    expect(recordsOf('a;b\n1;"', 'csv')).toBeNull();
  });

  it('finds nothing in an empty text', () => {
    expect(recordsOf(' \n ', 'json')).toEqual([]);
  });
});
