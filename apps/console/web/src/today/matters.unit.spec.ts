import { describe, expect, it } from '@jest/globals';
import type { AppOverview } from '../api/overview.ts';
import { type Known, mattersOf } from './matters.ts';

const READY: AppOverview = {
  app: 'webhook-ingest',
  state: 'ready',
  since: '2026-11-26T08:00:00Z',
  checks: { database: true },
  version: '1.0.0',
};
const NOTHING: Known = {
  apps: [READY],
  orders: [],
  quarantine: undefined,
  letters: new Map(),
  today: new Map(),
  rejected: [],
};

const needs = (since: string, waitsFor: 'erp' | 'operator') => ({
  attention: [{ code: 'NOT_PREPARED', since, waitsFor }],
});

const pausedSince = (since: string, cause: 'paused' | 'credentials') => ({
  pauses: [{ cause, since }],
  outbox: { parked: 0 },
});

describe('mattersOf', () => {
  it('names nothing while all is well', () => {
    expect(mattersOf(NOTHING)).toEqual([]);
  });

  it('names an app that is away before all else, and what it fails at', () => {
    const away: AppOverview = { ...READY, app: 'catalog-publisher', state: 'away', checks: {} };
    const ill: AppOverview = { ...READY, state: 'not-ready', checks: { database: false, spool: true } };
    const letters = new Map([
      ['file-gateway' as const, { entries: [{ deadAt: '2026-01-01T00:00:00Z' }], isMore: false }],
    ]);
    const matters = mattersOf({ ...NOTHING, apps: [away, ill], letters });
    expect(matters.map(({ kind }) => kind)).toEqual(['app', 'app', 'letters']);
    expect(matters[0]).toMatchObject({ app: 'catalog-publisher', isAway: true, who: 'engineer' });
    expect(matters[1]).toMatchObject({ isAway: false, failing: ['database'] });
  });

  it('groups orders by what they need and who must act, since the eldest', () => {
    const orders = [
      needs('2026-11-26T09:00:00Z', 'erp'),
      needs('2026-11-26T08:00:00Z', 'erp'),
      needs('2026-11-26T07:00:00Z', 'operator'),
    ];
    expect(mattersOf({ ...NOTHING, orders })).toEqual([
      { kind: 'orders', code: 'NOT_PREPARED', orders: 1, since: '2026-11-26T07:00:00Z', who: 'operator' },
      { kind: 'orders', code: 'NOT_PREPARED', orders: 2, since: '2026-11-26T08:00:00Z', who: 'erp' },
    ]);
  });

  it('names one pause of the platform once, also if several apps have it, and who ends it', () => {
    const today = new Map([
      ['order-command-handler' as const, pausedSince('2026-11-26T08:02:00Z', 'paused')],
      ['catalog-publisher' as const, pausedSince('2026-11-26T08:01:00Z', 'paused')],
      ['file-gateway' as const, pausedSince('2026-11-26T08:03:00Z', 'credentials')],
    ]);
    expect(mattersOf({ ...NOTHING, today })).toEqual([
      { kind: 'pause', cause: 'paused', since: '2026-11-26T08:01:00Z', who: 'platform' },
      { kind: 'pause', cause: 'credentials', since: '2026-11-26T08:03:00Z', who: 'engineer' },
    ]);
  });

  it('names records that Kafka refused, and those that the ERP must correct since the eldest', () => {
    const today = new Map([['webhook-ingest' as const, { pauses: [], outbox: { parked: 2 } }]]);
    const rejected = [
      { count: 3, isMore: false, oldestAt: '2026-11-26T08:00:00Z' },
      { count: 1, isMore: true, oldestAt: '2026-11-25T08:00:00Z' },
    ];
    expect(mattersOf({ ...NOTHING, today, rejected })).toEqual([
      { kind: 'parked', app: 'webhook-ingest', records: 2, since: null, who: 'engineer' },
      { kind: 'rejections', records: 4, isMore: true, since: '2026-11-25T08:00:00Z', who: 'erp' },
    ]);
  });

  it('says that there are more than it counted', () => {
    const quarantine = { entries: [{ receivedAt: '2026-11-26T08:00:00Z' }], isMore: true };
    expect(mattersOf({ ...NOTHING, quarantine })).toMatchObject([{ kind: 'quarantine', entries: 1, isMore: true }]);
  });
});
