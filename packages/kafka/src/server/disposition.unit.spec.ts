import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { SettingError } from '@gondola/service-kit/config/config';

import { dispositionOf } from './disposition.ts';

function fromPostgres(code: string): Error {
  return Object.assign(new Error('refused'), { code, severity: 'ERROR' });
}

describe('dispositionOf', () => {
  it.each(['08006', '40001', '40P01', '53300', '57014', '57P01', '55P03', '25006'])('retries after %s', (code) => {
    expect(dispositionOf(fromPostgres(code))).toBe('retry');
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])('retries after the socket error %s', (code) => {
    expect(dispositionOf(Object.assign(new Error('connect'), { code }))).toBe('retry');
  });

  it.each(['22P02', '22021', '23505', '23514', '54000', '21000'])('isolates the record after %s', (code) => {
    expect(dispositionOf(fromPostgres(code))).toBe('isolate');
  });

  it.each(['42P01', '42501', '42601', '3F000', '3D000', '28P01'])('exits after %s', (code) => {
    expect(dispositionOf(fromPostgres(code))).toBe('exit');
  });

  it('exits where the installation is at fault, although each record shows it', () => {
    const session = new SettingError({ variable: 'DATABASE_URL', problem: 'a pooler', code: 'X', cause: undefined });
    const identity = { table: 'commands', constraint: 'commands_pkey', detail: 'Key (id)=(1) already exists.' };
    expect(dispositionOf(session)).toBe('exit');
    expect(dispositionOf(Object.assign(fromPostgres('23505'), identity))).toBe('exit');
    expect(dispositionOf(new Error('wrapped', { cause: Object.assign(fromPostgres('23505'), identity) }))).toBe('exit');
  });

  it('isolates the record that causes a bug', () => {
    expect(dispositionOf(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe('isolate');
  });

  it('decides on anything that can be thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(['retry', 'isolate', 'exit']).toContain(dispositionOf(thrown));
      }),
    );
  });
});
