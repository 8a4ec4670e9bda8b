import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Clock } from '../runtime/clock.service.ts';
import { Ids } from '../runtime/ids.service.ts';
import { Signals } from '../runtime/signals.ts';
import { Store } from '../store/store.service.ts';
import { Core } from './core.service.ts';

const CALLER = { contractAccountId: 'merchant', directive: { lateMs: 100 } };

describe('a late call', () => {
  let nowMs: number;
  let core: Core;

  beforeEach(() => {
    nowMs = 1_000;
    const store = new Store({ folder: null, version: '1.2.3', journalMaxBytes: 1 });
    const clock = new Clock(store, store.table('settings'), () => nowMs);
    core = new Core({ store, clock, ids: new Ids(), signals: new Signals(), logger: pino({ level: 'silent' }) });
  });
  afterEach(() => core.stop());

  function dueTimes(): number[] {
    return [...core.operations.values()].map(({ dueAt }) => dueAt);
  }

  it('is due from when its caller has gone', () => {
    const { operationId } = core.accept(CALLER, 'product', [{}, {}]);
    expect(dueTimes()).toEqual([1_100, 1_100]);
    nowMs = 1_010;
    core.land(operationId, 30);
    expect(dueTimes()).toEqual([1_040, 1_040]);
  });

  it('is not put off once it is due', () => {
    const { operationId } = core.accept(CALLER, 'product', [{}, {}]);
    nowMs = 1_100;
    core.land(operationId, 30);
    expect(dueTimes()).toEqual([1_100, 1_100]);
  });
});
