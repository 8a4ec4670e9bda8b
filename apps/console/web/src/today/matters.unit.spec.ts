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
const NOTHING: Known = { apps: [READY], orders: [], quarantine: undefined, letters: new Map() };

const needs = (since: string, waitsFor: 'erp' | 'operator') => ({
  attention: [{ code: 'NOT_PREPARED', since, waitsFor }],
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

  it('says that there are more than it counted', () => {
    const quarantine = { entries: [{ receivedAt: '2026-11-26T08:00:00Z' }], isMore: true };
    expect(mattersOf({ ...NOTHING, quarantine })).toMatchObject([{ kind: 'quarantine', entries: 1, isMore: true }]);
  });
});
