import type { ShadowRow } from '@gondola/shared/shadow/shadow-verdict';
import { DEFAULT_WIRE_PROFILE as profile } from '@gondola/platform-client/wire-profile';
import { describe, expect, it } from '@jest/globals';
import { judgeLeftOut, judgeSeen, seenValue, valueIdentity } from './judge-value.ts';

const SETTLE_MS = 900_000;
const AT = Date.parse('2026-11-20T13:00:00Z');
const WARE = { skuId: 'a', warehouseId: 'cd-01' };
const rowOf = (id: string, body: object, atMs = 0, more: Partial<ShadowRow> = {}): ShadowRow => ({
  id,
  tenant: 'acme',
  side: 'shop',
  route: 'stock',
  entity: 'a',
  commandId: id,
  body: JSON.stringify(body),
  leftOutAt: new Date(AT + atMs),
  verdict: null,
  isSuperseded: false,
  ...more,
});
const judged = (body: object, seen: readonly ShadowRow[], isShown = true) =>
  judgeLeftOut(rowOf('g', body), 'stock', { seen, isShown }, { profile, settleMs: SETTLE_MS });

const identity = (data: { readonly [key: string]: string | number }) => valueIdentity('stock', data, profile);
const envelope = (eventType: string) =>
  Buffer.from(JSON.stringify({ operationId: 'o-1', relatedEntity: 'WarehouseSKU', eventType, data: WARE }));

describe('a value that was left out, beside notifications', () => {
  it('is the same whichever connector was faster, by numbers in any form', () => {
    for (const atMs of [-SETTLE_MS, 0, 5 * SETTLE_MS]) {
      const { finding, explains } = judged({ ...WARE, quantity: '40' }, [rowOf('s', { ...WARE, quantity: 40 }, atMs)]);
      expect(finding).toEqual({ kind: 'same', seenAt: new Date(AT + atMs) });
      expect(explains).toEqual(['s']);
    }
  });

  it('is the same if the shop had it long before and nothing came since', () => {
    const old = rowOf('s', { ...WARE, quantity: 40 }, -10 * SETTLE_MS);
    expect(judged({ ...WARE, quantity: 40 }, [old]).finding).toEqual({ kind: 'same' });
    expect(judged({ ...WARE, quantity: 41 }, [old]).finding).toEqual({ kind: 'only-gondola' });
  });

  it('is another one, missing, or not shown at all', () => {
    const other = rowOf('s', { ...WARE, quantity: 7 }, 1_000);
    expect(judged({ ...WARE, quantity: 40 }, [other])).toEqual({
      finding: { kind: 'another-value', found: other.body },
      explains: ['s'],
    });
    expect(judged({ ...WARE, quantity: 40 }, []).finding).toEqual({ kind: 'only-gondola' });
    expect(judged({ ...WARE, quantity: 40 }, [], false).finding).toMatchObject({ kind: 'not-comparable' });
    expect(judged({ ...WARE, quantity: 40 }, [rowOf('s', WARE)]).finding).toMatchObject({ kind: 'not-comparable' });
  });

  it('of the shop alone is a difference, unless it repeats what was explained', () => {
    const known = rowOf('1', { ...WARE, quantity: 40 }, 0, { verdict: 'same' });
    const again = rowOf('2', { ...WARE, quantity: 40 }, 1_000);
    const other = rowOf('3', { ...WARE, quantity: 7 }, 2_000);
    expect(judgeSeen(again, [known, again, other])).toEqual({ kind: 'explained' });
    expect(judgeSeen(other, [known, again, other])).toEqual({ kind: 'only-old' });
  });

  it('has one identity on both sides, whatever its amount', () => {
    expect(identity({ ...WARE, quantity: 40 })).toBe(identity({ quantity: '7', warehouseId: 'cd-01', skuId: 'a' }));
    expect(identity({ ...WARE, quantity: 40 })).not.toBe(identity({ ...WARE, warehouseId: 'cd-02' }));
  });

  it('is read from a success, and from no failure', () => {
    expect(seenValue(envelope('WarehouseSKU_Updated'))).toMatchObject({ kind: 'stock', operationId: 'o-1' });
    expect(seenValue(envelope('WarehouseSKU_CreationFailed'))).toBeNull();
  });
});
