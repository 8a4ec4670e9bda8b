import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  breaksConnection,
  classifyDatabaseError,
  DatabaseUnavailableError,
  takenIdentityOf,
} from './database-errors.ts';

const sqlError = (code: string) => Object.assign(new Error('said by the server'), { code, severity: 'ERROR' });
const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('classifyDatabaseError', () => {
  it.each(['08006', '40001', '40P01', '53300', '57P01', '57P03', '57014', '55P03', '25006', '25P03'])(
    'calls SQLSTATE %s transient',
    (state) => expect(classifyDatabaseError(sqlError(state))).toBe('transient'),
  );

  it.each(['22P02', '22021', '23505', '23502', '22003'])('calls SQLSTATE %s data', (state) =>
    expect(classifyDatabaseError(sqlError(state))).toBe('data'),
  );

  it.each(['42601', '42P01', '28P01', '3D000', '0A000', '25P02'])('calls SQLSTATE %s a bug', (state) =>
    expect(classifyDatabaseError(sqlError(state))).toBe('bug'),
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'])(
    'calls %s transient',
    (code) => {
      expect(classifyDatabaseError(coded(code))).toBe('transient');
      expect(classifyDatabaseError(new AggregateError([coded(code)]))).toBe('transient');
      expect(classifyDatabaseError(new Error('wrapped', { cause: coded(code) }))).toBe('transient');
    },
  );

  it('classifies the cause that TypeORM wraps', () => {
    expect(classifyDatabaseError(Object.assign(new Error('x'), { driverError: sqlError('40001') }))).toBe('transient');
    expect(classifyDatabaseError(Object.assign(new Error('x'), { driverError: sqlError('23505') }))).toBe('data');
  });

  it('calls any other error a bug, a missing file included', () => {
    expect(classifyDatabaseError(new TypeError('x is not a function'))).toBe('bug');
    expect(classifyDatabaseError(coded('ABCDE'))).toBe('bug');
    expect(classifyDatabaseError(coded('ENOENT'))).toBe('bug');
    expect(classifyDatabaseError(new DatabaseUnavailableError('not yet'))).toBe('transient');
  });

  it('classifies anything that can be thrown', () => {
    const loop: { cause?: unknown } = {};
    loop.cause = loop;
    expect(classifyDatabaseError(loop)).toBe('bug');
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        expect(['transient', 'data', 'bug']).toContain(classifyDatabaseError(thrown));
        expect(typeof breaksConnection(thrown)).toBe('boolean');
      }),
    );
  });
});

describe('takenIdentityOf', () => {
  const violation = (detail: string, constraint = 'outbox_pkey') =>
    Object.assign(sqlError('23505'), { table: 'outbox', constraint, detail });

  it.each([
    'Key (seq)=(7) already exists.',
    'Schlüssel »(seq)=(7)« existiert bereits.',
    'Chave (seq)=(7) já existe.',
    'キー (seq)=(7) はすでに存在します。',
  ])('reads the column of an identity in any language of the server: %s', (detail) => {
    const wrapped = Object.assign(new Error('x'), { driverError: violation(detail) });
    expect(takenIdentityOf(wrapped)).toEqual({ table: 'outbox', column: 'seq' });
    expect(classifyDatabaseError(wrapped)).toBe('bug');
  });

  it.each([
    ['another key of the table', violation('Key (id)=(7) already exists.', 'outbox_place_key')],
    ['a key of several columns', violation('Key (tenant, id)=(acme, 7) already exists.')],
    ['a key that a record names', violation('Key (dedup_key)=((id)=(7) already exists.')],
    ['no detail', Object.assign(sqlError('23505'), { table: 'outbox', constraint: 'outbox_pkey' })],
  ])('is null for %s, which a record may cause', (_what, error) => {
    expect(takenIdentityOf(error)).toBeNull();
    expect(classifyDatabaseError(error)).toBe('data');
  });
});

describe('breaksConnection', () => {
  it.each(['08006', '57P01', '25P03'])('is true of SQLSTATE %s, after which the session is gone', (state) =>
    expect(breaksConnection(sqlError(state))).toBe(true),
  );

  it.each(['23505', '40001', '57014', '42601'])('is false of SQLSTATE %s, which does not end the session', (state) =>
    expect(breaksConnection(sqlError(state))).toBe(false),
  );

  it('is true of time-outs and socket errors, false of errors of the work itself', () => {
    expect(breaksConnection(new Error('Query read timeout'))).toBe(true);
    expect(breaksConnection(coded('ECONNRESET'))).toBe(true);
    expect(breaksConnection(new Error('no'))).toBe(false);
  });
});
