import { describe, expect, it } from '@jest/globals';
import { Field, fieldTable } from './field.decorators.ts';

class Base {
  @Field({ type: 'identity', required: 'always' }) id!: string;
  @Field({ type: 'text' }) note?: string;
}

class Middle extends Base {
  @Field({ type: 'money', required: 'always' }) price!: string;
}

class Whole extends Middle {
  @Field({ type: 'boolean' }) force?: boolean;
}

class Other extends Base {
  @Field({ type: 'text', required: 'always' }) reason!: string;
}

describe('the table of a DTO', () => {
  it('has the fields of the classes that it extends first, and none of its siblings', () => {
    expect(Object.entries(fieldTable(Whole))).toEqual([
      ['id', { type: 'identity', required: 'always' }],
      ['note', { type: 'text' }],
      ['price', { type: 'money', required: 'always' }],
      ['force', { type: 'boolean' }],
    ]);
    expect(Object.keys(fieldTable(Other))).toEqual(['id', 'note', 'reason']);
  });
});
