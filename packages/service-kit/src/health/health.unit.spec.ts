import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Health } from './health.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('Health', () => {
  it('calls a check that does not answer within two seconds failing', async () => {
    const health = new Health();
    health.setPhase('ready');
    health.register('disk', () => new Promise(() => {}));
    const report = health.readiness();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await report).toEqual({
      status: 'failing',
      checks: { disk: { ok: false, required: true, reason: 'TIMEOUT' } },
    });
  });

  it('runs a check once for all simultaneous callers', async () => {
    let asked = 0;
    const health = new Health();
    health.register('disk', () => {
      asked += 1;
      return true;
    });
    await Promise.all([health.readiness(), health.readiness(), health.readiness()]);
    expect(asked).toBe(1);
    await health.readiness();
    expect(asked).toBe(2);
  });

  it('shows a startable and the check of the same name as one, which fails if either does', async () => {
    const health = new Health();
    health.setPhase('ready');
    let isUp = true;
    health.register('database', () => isUp);
    health.setStartable('database', { state: 'retrying', attempts: 2, reason: 'ECONNREFUSED' }, true);
    expect((await health.readiness()).checks['database']).toMatchObject({ ok: false, state: 'retrying' });
    health.setStartable('database', { state: 'started' }, true);
    expect((await health.readiness()).status).toBe('ready');
    isUp = false;
    expect(await health.readiness()).toMatchObject({
      status: 'failing',
      checks: { database: { ok: false, state: 'started' } },
    });
  });

  it('is never ready while starting or stopping, whatever the checks say', async () => {
    const health = new Health();
    expect((await health.readiness()).status).toBe('starting');
    health.setPhase('stopping');
    expect((await health.readiness()).status).toBe('stopping');
  });
});
