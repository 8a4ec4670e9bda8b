import { describe, expect, it } from '@jest/globals';
import { plannedNotifications, type PlannedNotification } from './planned-notifications.ts';
import { type DisturbanceKind, isDatabaseDisturbed, planDisturbances } from './planned-disturbances.ts';

const KINDS: readonly DisturbanceKind[] = ['kill-replica', 'kill-holder', 'freeze-kafka'];

const plan = (seed: string, count = 9) => planDisturbances({ seed, kinds: KINDS, count, replicas: 3 });

function first(seed: string, sender: number, count = 400): PlannedNotification[] {
  const notifications = plannedNotifications(seed, sender);
  return Array.from({ length: count }, () => notifications.next().value);
}

describe('the plan of disturbances', () => {
  it('is the same for the same seed, and another one for another', () => {
    expect(plan('42')).toEqual(plan('42'));
    expect(plan('42')).not.toEqual(plan('43'));
  });

  it('has every kind equally often, of replicas that there are, each lasting for some notifications', () => {
    const counts = Map.groupBy(plan('42'), ({ kind }) => kind);
    expect([...counts.values()].map(({ length }) => length)).toEqual([3, 3, 3]);
    for (const { replica, after, during } of plan('42', 100)) {
      expect([0, 1, 2]).toContain(replica);
      expect(Math.min(after, during)).toBeGreaterThan(0);
    }
  });

  it('knows whether PostgreSQL is taken away', () => {
    expect(isDatabaseDisturbed(plan('42'))).toBe(false);
    const spooling = planDisturbances({ seed: '42', kinds: ['kill-spooling'], count: 1, replicas: 3 });
    expect(isDatabaseDisturbed([...plan('42'), ...spooling])).toBe(true);
  });
});

describe('the notifications of a sender', () => {
  it('are the same for the same seed, and no two of any sender or seed are equal', () => {
    expect(first('42', 1).map(({ hash }) => hash)).toEqual(first('42', 1).map(({ hash }) => hash));
    const all = [first('42', 1), first('42', 2), first('43', 1)].flat();
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(all.length);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  });

  it('are of many entities with rising places, some without a series, some on no topic, some no JSON', () => {
    const all = first('42', 1);
    const bySeries = Map.groupBy(all, ({ series }) => series);
    expect(bySeries.size).toBe(6);
    for (const of of bySeries.values()) {
      const places = of.map(({ place }) => place);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    }
    bySeries.delete(null);
    const topics = [...bySeries.values()].map((of) => new Set(of.map(({ topic }) => topic)).size);
    expect(topics).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(all.map(({ topic }) => topic)).size).toBe(4);
    expect(all.some(({ body }) => body.at(-1) !== 0x7d)).toBe(true);
  });
});
