import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ORDER_STATUSES } from '@gondola/shared/orders/order-statuses';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import { type OrderFact, PAYLOAD_READ } from './order-fact.ts';
import { foldFacts } from './order-state.ts';
import { releaseFact } from './release.ts';
import { foldedFacts, NOTHING_FOLDED, standingFacts } from './standing-facts.ts';

const anyFact: fc.Arbitrary<OrderFact> = fc
  .record({
    status: fc.constantFrom(...Object.keys(ORDER_STATUSES).map(Number), 100, 1400),
    minute: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    kind: fc.constantFrom('Order_Updated', 'Order_Other', 'GET status', PAYLOAD_READ, 'refused', 'release'),
    hasItems: fc.boolean(),
    orderId: fc.constantFrom('a', 'b', null),
    hash: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ status, minute, kind, hash: number, hasItems, orderId }) => {
    const hash = `${kind}/${status}/${minute}/${hasItems}/${number}`;
    if (kind === 'release') return { ...releaseFact('trace'), hash };
    if (kind === 'refused') return refusalFact('op', { hash });
    const isRead = kind.startsWith('GET');
    const more = { hash, eventType: kind, hasItems, orderId, source: isRead ? 'read' : 'notification' } as const;
    return stateFact(status, minute === null ? null : at(minute), more);
  });

const anyFacts = fc.uniqueArray(anyFact, { maxLength: 20, selector: ({ hash }) => hash });

function view(facts: readonly OrderFact[]) {
  const state = foldFacts(facts);
  return state === null ? null : { ...state, facts: [] };
}

describe('the facts that stand for all of an order', () => {
  it('give with whatever comes later the state that all of them would (guarantee 4) (rule 9)', () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, (earlier, later) => {
        expect(view([...standingFacts(earlier), ...later])).toEqual(view([...earlier, ...later]));
      }),
      { numRuns: 500 },
    );
  });

  it('are a handful, however many there are', () => {
    const many = Array.from({ length: 500 }, (_, index) => stateFact(index % 2 === 0 ? 300 : 400, at(index % 60)));
    expect(standingFacts(many).length).toBe(2);
  });
});

describe('what the next step of an order loads', () => {
  const facts = Array.from({ length: 20 }, (_, index) => stateFact(300, at(index), { id: String(index + 1) }));

  it('is all while there is little, and then what stands', () => {
    expect(foldedFacts(NOTHING_FOLDED, facts.slice(0, 5), [])).toBe(NOTHING_FOLDED);
    expect(foldedFacts(NOTHING_FOLDED, facts, [])).toEqual({ upTo: '20', ids: ['20'] });
  });

  it('has every fact that may answer an attempt of an open command (rule 10)', () => {
    const markers = [{ seenFactId: '18' }, { seenFactId: '19' }];
    expect(foldedFacts(NOTHING_FOLDED, facts, markers)).toEqual({ upTo: '18', ids: ['18'] });
    expect(foldedFacts(NOTHING_FOLDED, facts, [{ seenFactId: '3' }])).toBe(NOTHING_FOLDED);
  });
});
