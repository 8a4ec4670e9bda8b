import { describe, expect, it } from '@jest/globals';
import { lastHours, SHOWN_HOURS } from './hours.ts';

const NOW = new Date('2026-11-26T11:40:00Z');

describe('lastHours', () => {
  it('has each hour up to the present one, the oldest first, also without a delivery', () => {
    const hours = lastHours([], NOW);
    expect(hours).toHaveLength(SHOWN_HOURS);
    expect(hours[0]?.begin.toISOString()).toBe('2026-11-25T12:00:00.000Z');
    expect(hours.at(-1)).toEqual({ begin: new Date('2026-11-26T11:00:00Z'), arrived: 0, repeated: 0, failed: 0 });
  });

  it('counts all that arrived, and of these what came twice and what failed', () => {
    const hour = '2026-11-26T11:00:00.000Z';
    const counted = [
      { hour, outcome: 'stored' as const, deliveries: 83 },
      { hour, outcome: 'spooled' as const, deliveries: 2 },
      { hour, outcome: 'repeated' as const, deliveries: 5 },
      { hour, outcome: 'quarantined' as const, deliveries: 1 },
      { hour, outcome: 'not-stored' as const, deliveries: 3 },
      { hour: '2026-11-20T11:00:00.000Z', outcome: 'stored' as const, deliveries: 9 },
    ];
    const hours = lastHours(counted, NOW);
    expect(hours.at(-1)).toMatchObject({ arrived: 94, repeated: 5, failed: 4 });
    expect(hours.at(-2)).toMatchObject({ arrived: 0 });
  });
});
