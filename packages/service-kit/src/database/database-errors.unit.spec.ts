import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { breaksConnection, classifyDatabaseError, DatabaseUnavailableError } from './database-errors.ts';

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
