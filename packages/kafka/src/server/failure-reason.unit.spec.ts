import { describe, expect, it } from '@jest/globals';

import { failureReason } from './disposition.ts';

describe('failureReason', () => {
  it('contains texts of the program and nothing from the record', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "Cliente Teste 01"'), {
      code: '22P02',
      severity: 'ERROR',
      detail: 'Key (email)=(cliente01@example.com) exists',
      table: 'facts',
      column: 'operation_id',
    });
    expect(failureReason(error).en).toMatch(/\(PostgreSQL 22P02 facts operation_id\)$/);
    expect(JSON.stringify(failureReason(error))).not.toMatch(/Cliente|example/);
  });

  it('names a bug by its class', () => {
    expect(failureReason(new SyntaxError('Unexpected token C in "Cliente Teste 01"')).en).toMatch(/\(SyntaxError\)$/);
    expect(failureReason('Cliente Teste 01').en).toMatch(/\(string\)$/);
  });
});
