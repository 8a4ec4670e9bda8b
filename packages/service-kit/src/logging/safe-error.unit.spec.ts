import { describe, expect, it } from '@jest/globals';
import { safeError } from './safe-error.ts';

describe('safeError', () => {
  it('keeps name, code and message and nothing else', () => {
    const error = Object.assign(new TypeError('no'), { code: 'E_NO', detail: 'Key (email)=(cliente@example.com)' });
    expect(safeError(error)).toEqual({ name: 'TypeError', code: 'E_NO', message: 'no' });
  });

  it('takes the code from the cause or from the members if the error has none', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(safeError(new Error('fetch failed', { cause: refused })).code).toBe('ECONNREFUSED');
    expect(safeError(new AggregateError([new Error('a'), refused])).code).toBe('ECONNREFUSED');
    expect(safeError(new Error('x')).code).toBeNull();
  });

  it('cuts the value that JSON.parse and PostgreSQL quote', () => {
    const parse = safeError(new SyntaxError(`Unexpected token 'C', "Cliente Teste 01" is not valid JSON`));
    expect(parse.message).toBe('Unexpected token [removed]');
    const postgres = Object.assign(new Error('invalid input syntax for type uuid: "Cliente Teste 01"'), {
      code: '22P02',
    });
    expect(safeError(postgres).message).toBe('invalid input syntax for type uuid: [removed]');
    const missing = Object.assign(new Error('relation "lanes" does not exist'), { code: '42P01' });
    expect(safeError(missing).message).toBe('relation "lanes" does not exist');
  });

  it('accepts anything that can be thrown', () => {
    for (const thrown of [undefined, null, 7, {}, Symbol('x')]) expect(safeError(thrown).message).toBe('');
    expect(safeError('cliente@example.com')).toEqual({ name: 'string', code: null, message: '[removed]' });
  });
});
