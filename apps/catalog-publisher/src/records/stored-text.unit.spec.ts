import { describe, expect, it } from '@jest/globals';
import { objectFromText, stateFromText, storedText } from './stored-text.ts';

describe('stored state and progress', () => {
  it('has the digits of the record, and the initial value of what an earlier version did not store', () => {
    const text = storedText({ weight: 1, name: 'Queijo' });
    expect(stateFromText(text, { weight: 0, turn: 0 })).toMatchObject({ name: 'Queijo', turn: 0 });
    expect(storedText(objectFromText('{"weight":1.10}'))).toBe('{"weight":1.10}');
  });

  it('is a bug in any other form', () => {
    expect(() => objectFromText('[]')).toThrow('unknown form');
    expect(() => objectFromText<{ turn: number }>('{"body":{}}', 'turn')).toThrow('unknown form');
  });
});
