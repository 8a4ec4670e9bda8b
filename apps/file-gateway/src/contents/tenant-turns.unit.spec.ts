import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { TenantTurns } from './tenant-turns.ts';

describe('turns of tenants', () => {
  it('let one with little work pass another one’s backlog, so many at a time and each in its order (guarantee 5)', async () => {
    const [works, places] = [
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
    ];
    const cases = fc.asyncProperty(works, places, async (tenants, atOnce) => {
      const turns = new TenantTurns(atOnce);
      const begun: string[] = [];
      let running = 0;
      const all = tenants.map((tenant, index) =>
        turns.run(tenant, async () => {
          begun.push(`${tenant}${index}`);
          running += 1;
          expect(running).toBeLessThanOrEqual(atOnce);
          await Promise.resolve();
          running -= 1;
        }),
      );
      await Promise.all(all);
      for (const tenant of ['a', 'b', 'c']) {
        const own = tenants.flatMap((each, index) => (each === tenant ? [`${tenant}${index}`] : []));
        const at = own.map((each) => begun.indexOf(each));
        expect(at).toEqual(at.toSorted((one, other) => one - other));
        // After the first ones, at most one piece of each other tenant comes between two of its own.
        at.forEach((place, index) => expect(place).toBeLessThan((index + 1) * 3 + atOnce));
      }
    });
    await fc.assert(cases);
  });

  it('go on after work that fails', async () => {
    const turns = new TenantTurns();
    const failing = turns.run('a', async () => Promise.reject(new Error('no')));
    const next = turns.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
