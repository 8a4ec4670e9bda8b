import { sized } from '@gondola/local-stack/testing/sized';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type CourseStart, type PlayedCommand, SimulatedCourse } from '../../test/support/simulated-course.ts';
import type { Delivery, Fate, InvoicesOfShop } from '../../test/support/simulated-order.ts';

/** An order may have an invoice, which is cancelled and issued again: the shop takes the second one, or refuses it. */

const FATES: readonly Fate[] = [
  'event',
  'refusal',
  'silence',
  'lost answer, applied',
  'lost answer, event',
  'lost answer, late event',
  'lost answer, refusal',
  '500',
  'time-out',
  'crash',
  'crash, event',
  '400',
  'unavailable',
];

function invoice(number: string, hasPdf: boolean): JsonRecord {
  const pdf = hasPdf ? { pdf: { uploadId: `pdf of ${number}` } } : {};
  return { command: 'RegisterInvoice', number, issuedAt: '2026-11-20T13:00:00Z', value: '12.45', ...pdf };
}

const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  afterMs: fc.constantFrom(0, 1_000, 31_000, 120_000),
  doubled: fc.boolean(),
  lost: fc.boolean(),
});

const anyInvoice: fc.Arbitrary<PlayedCommand> = fc.record({
  record: fc
    .tuple(fc.constantFrom('1', '4501', '4502'), fc.boolean())
    .map(([number, hasPdf]) => invoice(number, hasPdf)),
  fates: fc
    .array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 })
    .map((fates) => (fates.at(-1) === 'unavailable' ? [...fates, 'event' as const] : fates)),
});

const anyShop: fc.Arbitrary<InvoicesOfShop> = fc.record({
  replaces: fc.boolean(),
  shows: fc.constantFrom('named', 'named', 'unnamed', 'nothing'),
});

/** Somebody else's invoice shows by its registration, or by 350: nobody could know of any other. */
const anyStart: fc.Arbitrary<CourseStart> = fc
  .record({
    status: fc.constantFrom(300, 400, 350, 600),
    registered: fc.boolean(),
    attached: fc.boolean(),
    becomesInvoiced: fc.boolean(),
    deliveries: fc.array(anyDelivery, { maxLength: 6 }),
    shop: anyShop,
  })
  .map((start) => (start.shop.shows === 'nothing' ? { ...start, registered: start.status === 350 } : start));

function play([first, ...next]: readonly PlayedCommand[], start: CourseStart): SimulatedCourse {
  return new SimulatedCourse(first!.record, first!.fates, { ...start, next }).run();
}

const numberOf = ({ record }: PlayedCommand) => record['number'];

describe('two or three invoices of one order in any course', () => {
  it('are applied or unchanged only while the shop has them, and the last of them for good (rules 15, 16)', () => {
    fc.assert(
      fc.property(fc.array(anyInvoice, { minLength: 2, maxLength: 3 }), anyStart, (played, start) => {
        const course = play(played, start);
        const ended = course.commands.map(({ end, invoiceAtEnd }, index) => {
          const isDone = end?.outcome === 'applied' || end?.outcome === 'unchanged';
          const said = (end?.data as { readonly invoice?: { readonly number?: string } } | undefined)?.invoice?.number;
          const number = numberOf(played[index]!);
          return {
            isOpen: end === null,
            isDoneWithout: isDone && invoiceAtEnd !== number,
            saysAnother: isDone && said !== number,
          };
        });
        expect(ended).toEqual(played.map(() => ({ isOpen: false, isDoneWithout: false, saysAnother: false })));
        const last = course.commands.at(-1)!.end!.outcome;
        const isLost =
          (last === 'applied' || last === 'unchanged') && course.invoiceNumber !== numberOf(played.at(-1)!);
        expect(isLost).toBe(false);
        expect(course.wrongFiles).toEqual([]);
      }),
      { numRuns: sized(400, 20_000) },
    );
  });
});

/** Outcomes, warnings, and the invoice and file of the shop in the end. */
function endsOf(played: readonly PlayedCommand[], start: CourseStart) {
  const course = play(played, start);
  const ends = course.commands.map(({ end }) => [
    end!.outcome,
    end!.reason?.code ?? null,
    end!.warnings?.map(({ code }) => code) ?? [],
    (end!.data as { readonly invoice: { readonly number: string } | null } | null)?.invoice?.number ?? null,
  ]);
  return { ends, shop: [course.invoiceNumber, course.file === null ? null : JSON.parse(course.file).uploadId] };
}

const once = (number: string, hasPdf = true): PlayedCommand => ({ record: invoice(number, hasPdf), fates: ['event'] });
const PREPARED: CourseStart = { status: 400 };
const APPLIED = (number: string) => ['applied', null, [], number];

describe('a second invoice of an order in 350', () => {
  it('is registered, and its PDF takes the place of the first (rule 15)', () => {
    expect(endsOf([once('4501'), once('4502')], PREPARED)).toEqual({
      ends: [APPLIED('4501'), APPLIED('4502')],
      shop: ['4502', 'pdf of 4502'],
    });
  });

  it('that the shop refuses changes no file, and its result names the first (rules 15, 16)', () => {
    const start = { ...PREPARED, shop: { replaces: false } };
    expect(endsOf([once('4501'), once('4502')], start)).toEqual({
      ends: [APPLIED('4501'), ['refused', 'PLATFORM_REFUSED', [], '4501']],
      shop: ['4501', 'pdf of 4501'],
    });
  });

  it('is unchanged only if it is the same one (rule 16)', () => {
    expect(endsOf([once('4501'), once('4501'), once('4501', false)], PREPARED).ends).toEqual([
      APPLIED('4501'),
      ['unchanged', null, [], '4501'],
      ['unchanged', null, [], '4501'],
    ]);
  });

  it('has its price checked (rule 14)', () => {
    const other = { ...invoice('4502', false), value: '12.00' };
    expect(endsOf([once('4501'), { record: other, fates: ['event'] }], PREPARED).ends[1]).toEqual([
      'invalid',
      'PRICE_MISMATCH',
      [],
      null,
    ]);
  });

  it('of another value is another one (rule 15)', () => {
    const start = { ...PREPARED, status: 350, registered: true };
    expect(endsOf([once('1', false)], start).ends).toEqual([['unchanged', null, [], '1']]);
    const named = { ...invoice('1', false), issuedAt: '2026-11-20T13:00:01Z' };
    expect(endsOf([{ record: named, fates: ['event'] }], start).ends[0]![0]).toBe('applied');
  });

  it('is unconfirmed where the shop does not say which it has, and changes no file (rules 15, 16)', () => {
    const start: CourseStart = { ...PREPARED, shop: { shows: 'unnamed' } };
    expect(endsOf([once('4501'), once('4502')], start)).toEqual({
      ends: [APPLIED('4501'), ['unconfirmed', 'PLATFORM_SILENT', ['INVOICE_UNNAMED'], null]],
      shop: ['4502', 'pdf of 4501'],
    });
  });

  it('waits until a lost call of the first can no more be carried out (rule 16)', () => {
    const first: PlayedCommand = { record: invoice('4501', false), fates: ['lost answer, late event', 'event'] };
    expect(endsOf([first, once('4502')], PREPARED)).toMatchObject({
      ends: [['applied', null, ['PDF_MISSING'], '4501'], APPLIED('4502')],
      shop: ['4502', 'pdf of 4502'],
    });
  });

  it('waits for that also if the first was sent once more in between (rule 16)', () => {
    const first: PlayedCommand = { record: invoice('4501', false), fates: ['lost answer, late event', 'event'] };
    const start = { ...PREPARED, becomesInvoiced: false };
    expect(endsOf([first, once('4501', false), once('4502', false)], start).shop[0]).toBe('4502');
  });

  it('is not proved by a 350 beside a first one whose repeat was refused (rules 15, 16)', () => {
    const first: PlayedCommand = { record: invoice('4501', false), fates: ['event', '400'] };
    const start: CourseStart = {
      status: 300,
      deliveries: [{ afterMs: 0, doubled: false, lost: true }],
      shop: { replaces: false, shows: 'nothing' },
    };
    const { ends, shop } = endsOf([first, once('4502')], start);
    expect([ends.map(([outcome]) => outcome), shop[0]]).toEqual([['refused', 'refused'], '4501']);
  });
});
