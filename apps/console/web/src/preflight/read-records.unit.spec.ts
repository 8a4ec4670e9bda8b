import { describe, expect, it } from '@jest/globals';
import { type Form, recordsOf } from './read-records.ts';

function records(text: string, form: Form) {
  const reading = recordsOf(text, form);
  return reading.kind === 'records' ? reading.records : reading.kind;
}

describe('recordsOf', () => {
  it('takes a record a line, with the number of its line', () => {
    expect(records('{"a":1.10}\r\n\n nothing \n', 'json')).toEqual([
      { line: 1, text: '{"a":1.10}' },
      { line: 3, text: 'nothing' },
    ]);
  });

  it('takes one record over several lines as it is', () => {
    expect(records('{\n "a": 1.10\n}', 'json')).toEqual([{ line: 1, text: '{\n "a": 1.10\n}' }]);
  });

  it('takes the records of a list with their digits', () => {
    expect(records('[{"a":1.10},{"b":12345678901234567890}]', 'json')).toEqual([
      { line: 1, text: '{"a":1.10}' },
      { line: 2, text: '{"b":12345678901234567890}' },
    ]);
  });

  it('takes the rows of a table as the command line does, with their lines', () => {
    expect(records('externalReference;name\n1;"Pão\nde queijo"\n2;Açaí\n', 'csv')).toEqual([
      { line: 2, text: '{"externalReference":"1","name":"Pão\\nde queijo"}' },
      { line: 4, text: '{"externalReference":"2","name":"Açaí"}' },
    ]);
    expect(records('a;b\n1;"', 'csv')).toBe('no-table');
    expect(records('externalReference;data.price\n1;6,99\n', 'csv')).toBe('wrong-cells');
  });

  it('finds nothing in an empty text', () => {
    expect(records(' \n ', 'json')).toEqual([]);
  });
});
