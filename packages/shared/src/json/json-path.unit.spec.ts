import { describe, expect, it } from '@jest/globals';
import { valueAtPath } from './json-path.ts';

describe('a path of field names', () => {
  const record = { status: 0, data: { status: 350, none: null, list: [{ status: 1 }] } };

  it.each([
    ['status', 0],
    ['data.status', 350],
    ['data.none', null],
    ['data.none.status', undefined],
    ['data.list.status', undefined],
    ['data.list.0', undefined],
    ['missing.status', undefined],
    ['constructor', undefined],
    ['data.toString', undefined],
  ])('%s gives %j', (path, value) => {
    expect(valueAtPath(record, path)).toBe(value);
  });
});
