import { describe, expect, it } from '@jest/globals';
import { isTransientStartFailure } from './database-errors.ts';

/** An error as kafkajs creates it: an error that gives up, with the reason as its cause. */
function kafkaError(retriable: boolean, cause?: unknown): Error {
  return Object.assign(new Error('kafka', { cause }), { retriable });
}

describe('isTransientStartFailure', () => {
  it('is true if database, socket or the error itself indicates it', () => {
    expect(isTransientStartFailure(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBe(true);
    expect(isTransientStartFailure(Object.assign(new Error('x'), { code: '57P03', severity: 'FATAL' }))).toBe(true);
    expect(isTransientStartFailure(kafkaError(true))).toBe(true);
    expect(isTransientStartFailure(kafkaError(false, kafkaError(true)))).toBe(true);
  });

  it('is false of everything else', () => {
    expect(isTransientStartFailure(kafkaError(false, kafkaError(false)))).toBe(false);
    expect(isTransientStartFailure(new TypeError('a bug'))).toBe(false);
    expect(isTransientStartFailure(Object.assign(new Error('x'), { code: '28P01', severity: 'FATAL' }))).toBe(false);
    expect(isTransientStartFailure('text')).toBe(false);
    expect(isTransientStartFailure(undefined)).toBe(false);
  });
});
