import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import * as fc from 'fast-check';
import { BARE_CATALOG, fullProduct } from '../../test/support/product-samples.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { afterRecord, type KnownProduct, UNKNOWN_PRODUCT } from '../product-state/known-product.ts';
import { type Prepared, prepareProduct, prepareResend } from './prepare-product.ts';

/** Records of one product, by the words of the model. */
const RECORDS = {
  whole: fullProduct(),
  'whole, another name': fullProduct({ name: 'Queijo novo' }),
  'whole, as supplied': withoutSlug(),
  'whole and active': fullProduct({ active: true }),
  'whole and not active': fullProduct({ active: false }),
  part: { externalReference: '4711', punctuation: 11 },
  'invalid part': { externalReference: '4711', punctuation: -1 },
  deletion: { externalReference: '4711', op: 'delete' },
  deactivation: { externalReference: '4711', op: 'deactivate' },
  activation: { externalReference: '4711', op: 'activate' },
} as const satisfies Record<string, JsonRecord>;

type Word = keyof typeof RECORDS | 'resend';
type Shown = 'shown' | 'deleted' | 'deactivated';

const CATALOG = { ...BARE_CATALOG, defaults: { product: { slug: { from: 'nameAndReference' } } } } as const;
const WORDS = [...Object.keys(RECORDS), 'resend'] as Word[];
const isWhole = (word: Word): boolean => word.startsWith('whole');

/** Where the product is after a record. */
function next(before: Shown, word: Word): Shown {
  if (word === 'deletion') return 'deleted';
  if (word === 'activation' || word === 'whole and active') return 'shown';
  if (word === 'whole and not active' || word === 'deactivation') return before === 'deleted' ? before : 'deactivated';
  return isWhole(word) && before === 'deleted' ? 'shown' : before;
}

function prepare(word: Word, known: KnownProduct): Prepared {
  if (word === 'resend') return prepareResend('4711', known, CATALOG, 'en');
  const value = Buffer.from(JSON.stringify(RECORDS[word]));
  return prepareProduct({ value, externalReference: '4711', looked: true }, known, CATALOG, 'en');
}

const warnedOf = (prepared: Prepared): string[] => {
  if (prepared.kind === 'look') return [];
  const warnings = prepared.kind === 'ready' ? prepared.progress.warnings : prepared.warnings;
  return warnings.map(({ code }) => code).filter((code) => code === 'BROUGHT_BACK' || code === 'STAYS_HIDDEN');
};

/** The state after a record that the platform applies or leaves in doubt, or that is concluded without a call. */
function after(known: KnownProduct, word: Word, prepared: Prepared, isDoubted = false): KnownProduct {
  const command = word === 'resend' ? word : String(Reflect.get(RECORDS[word], 'op') ?? 'upsert');
  const outcome =
    prepared.kind === 'ready'
      ? isDoubted
        ? 'unconfirmed'
        : 'applied'
      : prepared.kind === 'concluded'
        ? prepared.conclusion.outcome
        : 'invalid';
  const body = prepared.kind === 'ready' ? prepared.progress.body : {};
  const lastEnd = { commandId: word, command, outcome, reason: null, errors: [], finishedAt: '2026-11-20T13:15:02Z' };
  return afterRecord(known, {
    effect:
      prepared.kind !== 'ready'
        ? { kind: 'none' }
        : isDoubted
          ? { kind: 'in-doubt', body }
          : { kind: 'entered', body, skus: new Set(skuReferences(body)) },
    sourceVersion: null,
    operationIds: [],
    lostCallEndMs: null,
    unconfirmed: null,
    commandId: word,
    command,
    traceparent: '',
    lastEnd,
  });
}

describe('a product that the ERP deletes, deactivates and sends again in any order', () => {
  it('is in the shop again once it comes whole after a deletion, and else the result says that it is not (rule 29)', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }), (words) => {
        const first = after(UNKNOWN_PRODUCT, 'whole', prepare('whole', UNKNOWN_PRODUCT));
        let known: KnownProduct = first;
        let shown: Shown = 'shown';
        for (const word of words) {
          const prepared = prepare(word, known);
          const before = shown;
          shown = next(before, word);
          known = after(known, word, prepared);
          const says = isWhole(word) || word === 'part';
          const names = word === 'whole and active' || word === 'whole and not active';
          const warned =
            !says || names || before === 'shown' ? [] : [shown === 'shown' ? 'BROUGHT_BACK' : 'STAYS_HIDDEN'];
          expect({ words, active: known.applied.product['active'] ?? true, warned: warnedOf(prepared) }).toEqual({
            words,
            active: shown === 'shown',
            warned,
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is where the ERP wants it once the record that says so is known to have entered, whatever was lost (rules 28, 29)', () => {
    const fates = fc.constantFrom<Fate>('entered', 'lost', 'entered unseen');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...WORDS), fates), { maxLength: 8 }), (records) => {
        const first = prepare('whole', UNKNOWN_PRODUCT);
        const product = new Product(after(UNKNOWN_PRODUCT, 'whole', first));
        let wanted: Shown = 'shown';
        let by: [Word, Fate] = ['whole', 'entered'];
        for (const [word, fate] of records) {
          if (saysWhere(word, wanted)) by = [word, fate];
          wanted = next(wanted, word);
          product.take(word, fate);
        }
        if (by[1] !== 'entered') product.take(by[0], 'entered');
        expect({ records, isShown: product.isShown }).toEqual({ records, isShown: wanted === 'shown' });
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Fate of a record's call; one that is lost or enters unseen is in doubt. */
type Fate = 'entered' | 'lost' | 'entered unseen';

/** The product of the shop, and what is known of it. */
class Product {
  isShown = true;

  constructor(private known: KnownProduct) {}

  take(word: Word, fate: Fate): void {
    const prepared = prepare(word, this.known);
    const { active = null } = prepared.kind === 'ready' && fate !== 'lost' ? prepared.progress.body : {};
    if (active !== null) this.isShown = active === true;
    this.known = after(this.known, word, prepared, fate !== 'entered');
  }
}

/** True for a record that says whether the product is in the shop, rather than changing something else. */
function saysWhere(word: Word, before: Shown): boolean {
  return (
    !(word === 'part' || word === 'invalid part' || word === 'resend') &&
    !(isWhole(word) && isSilent(word) && before !== 'deleted')
  );
}

function isSilent(word: Word): boolean {
  return word !== 'whole and active' && word !== 'whole and not active';
}

/** Its slug is supplied by the tenant's file. */
function withoutSlug(): JsonRecord {
  const { slug: _, ...rest } = fullProduct();
  return rest;
}
