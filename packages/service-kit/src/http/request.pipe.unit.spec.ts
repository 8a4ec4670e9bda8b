import type { ArgumentMetadata } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { IsBoolean } from 'class-validator';
import { PageQuery, pageRequest } from './page.dto.ts';
import { Must, QueryParameter, WholeNumberParameter } from './request-fields.ts';
import { RequestPipe } from './request.pipe.ts';

class ShelvesQuery extends PageQuery {
  @QueryParameter('Of one tenant')
  readonly tenant?: string;

  @QueryParameter('In this state', ['full', 'empty'])
  readonly state?: 'full' | 'empty';

  @WholeNumberParameter('With so many items', { minimum: 2, maximum: 9 })
  readonly items?: string;
}

class Shelf {
  @Must((value) => typeof value === 'string', 'name is a text')
  readonly name!: string;

  @IsBoolean({ message: 'isOpen is true or false' })
  readonly isOpen: boolean = false;
}

function pass(value: unknown, metatype: ArgumentMetadata['metatype'], type: 'query' | 'body' = 'query'): unknown {
  return new RequestPipe().transform(value, { type, ...(metatype === undefined ? {} : { metatype }) });
}

describe('the pipe of requests', () => {
  it('passes a query as its class, without empty parameters', () => {
    const query = pass({ tenant: '', state: 'full', limit: '7' }, ShelvesQuery);
    expect(query).toBeInstanceOf(ShelvesQuery);
    expect(query).toMatchObject({ tenant: undefined, state: 'full', limit: '7' });
  });

  it.each([
    [{ shelf: '1' }, 'There is no such parameter; there are: tenant, state, items, before, limit'],
    [{ tenant: ['a', 'b'] }, 'tenant may be given once'],
    [{ state: 'gone' }, 'state is one of: full, empty'],
    [{ items: '1' }, 'items is a whole number from 2 to 9'],
    [{ items: '1e1' }, 'items is a whole number from 2 to 9'],
    [{ limit: '0' }, 'limit is a whole number from 1 to 200'],
    [{ limit: 'many' }, 'limit is a whole number from 1 to 200'],
    [{ limit: '201' }, 'limit is a whole number from 1 to 200'],
    [{ before: 'x' }, 'before is the `next` of the page before it'],
    [{ state: 'gone', limit: '0' }, 'state is one of: full, empty'],
  ])('refuses an invalid query: %j', (query, message) => {
    expect(() => pass(query, ShelvesQuery)).toThrow(message);
  });

  it('accepts at most the size of a page', () => {
    expect(pageRequest(pass({ limit: '200' }, ShelvesQuery) as PageQuery).limit).toBe(200);
    expect(pageRequest(pass({}, ShelvesQuery) as PageQuery).limit).toBe(50);
  });

  it('passes a body as its class, with the defaults of the class', () => {
    expect(pass({ name: 'one' }, Shelf, 'body')).toEqual(Object.assign(new Shelf(), { name: 'one', isOpen: false }));
  });

  it.each([
    [undefined, 'name is a text'],
    [[], 'The body is a JSON object of name, isOpen'],
    ['text', 'The body is a JSON object of name, isOpen'],
    [{ name: 'one', isOpen: null }, 'isOpen is true or false'],
    [{ name: 'one', why: 'x' }, 'There is no such field; there are: name, isOpen'],
    [{ name: 'a\0b' }, 'name contains the character NUL, or half of a surrogate pair'],
    [{ name: '\ud800' }, 'name contains the character NUL, or half of a surrogate pair'],
    [JSON.parse('{"name":"one","__proto__":{"isOpen":true}}'), 'There is no such field'],
  ])('refuses an invalid body: %j', (body, message) => {
    expect(() => pass(body, Shelf, 'body')).toThrow(message);
  });

  it('does not change a value without a class', () => {
    expect(pass('100234', String)).toBe('100234');
    expect(pass({ any: 1 }, Object, 'body')).toEqual({ any: 1 });
    expect(pass('x', undefined)).toBe('x');
  });
});
