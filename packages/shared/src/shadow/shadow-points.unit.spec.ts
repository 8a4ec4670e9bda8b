import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { modeAt, POINT_LEAD_MS, type ShadowPoint, type ShadowPoints, withPoint } from './shadow-points.ts';

const NOW = Date.parse('2026-12-01T06:00:00Z');
const MINUTE = 60_000;
const NONE: ShadowPoints = { points: [], heldSince: null };

const modes = fc.constantFrom('live' as const, 'shadow' as const);
const times = fc.integer({ min: NOW - 100 * MINUTE, max: NOW + 100 * MINUTE });
/** Acts of operators, one after the other: at a time, they hold the work or set a point. */
const acts = fc.array(
  fc.record({ laterMs: fc.integer({ min: 0, max: 10 * MINUTE }), isHold: fc.boolean(), mode: modes, from: times }),
  { maxLength: 12 },
);

describe('the points of a tenant in shadow', () => {
  it('divide time: in shadow before the first one, and by the last one that was reached', () => {
    const points: ShadowPoint[] = [
      { mode: 'live', from: NOW },
      { mode: 'shadow', from: NOW + MINUTE },
    ];
    const at = (ms: number) => modeAt({ points }, NOW + ms);
    expect([at(-1), at(0), at(MINUTE - 1), at(MINUTE)]).toEqual(['shadow', 'live', 'live', 'shadow']);
  });

  it('are a minute ahead, or a minute after the start of a hold', () => {
    const set = (known: ShadowPoints, inMs: number) => withPoint(known, { mode: 'live', from: NOW + inMs }, NOW);
    expect(set(NONE, MINUTE)).toEqual({ points: [{ mode: 'live', from: NOW + MINUTE }], heldSince: null });
    expect(set(NONE, MINUTE - 1)).toBe(
      'from must be 2026-12-01T06:01:00.000Z or later, a minute from now, so that every process knows of it; it is 2026-12-01T06:00:59.999Z',
    );
    const held = { points: [], heldSince: NOW - 10 * MINUTE };
    expect(set(held, -9 * MINUTE)).toEqual({ points: [{ mode: 'live', from: NOW - 9 * MINUTE }], heldSince: null });
    expect(set(held, -9 * MINUTE - 1)).toContain('a minute from the start of the hold');
  });

  it('may be changed while they are to come, and set again', () => {
    const ahead = { points: [{ mode: 'live', from: NOW + 9 * MINUTE }], heldSince: null } as const;
    expect(withPoint(ahead, { mode: 'live', from: NOW + 5 * MINUTE }, NOW)).toEqual({
      points: [{ mode: 'live', from: NOW + 5 * MINUTE }],
      heldSince: null,
    });
    expect(withPoint(ahead, ahead.points[0], NOW + 20 * MINUTE)).toBe(ahead);
    expect(withPoint(NONE, { mode: 'shadow', from: NOW + MINUTE }, NOW)).toBe('it is in shadow by then already');
  });

  it('never change the mode of a time that a process may have decided by, whatever operators do', () => {
    fc.assert(
      fc.property(acts, (done) => {
        let known: ShadowPoints = NONE;
        let now = NOW;
        for (const { laterMs, isHold, mode, from } of done) {
          now += laterMs;
          const before = known;
          if (isHold) known = { ...known, heldSince: known.heldSince ?? now };
          else {
            const after = withPoint(known, { mode, from }, now);
            if (typeof after !== 'string') known = after;
          }
          // Nothing that came after a hold's first minute was decided: by then every process knew of it.
          const decidedUntil = Math.min(before.heldSince ?? now, now) + POINT_LEAD_MS - 1;
          for (const at of [NOW - MINUTE, decidedUntil - MINUTE, decidedUntil])
            expect(modeAt(known, at)).toBe(modeAt(before, at));
          expect(known.points).toEqual(known.points.toSorted((one, other) => one.from - other.from));
        }
      }),
    );
  });
});
