import { entriesOf, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { tableOf } from '../output/blocks.ts';
import { type Block, line } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const STATES = ['same', 'differs', 'absent', 'refused', 'unreadable'] as const;

type State = (typeof STATES)[number];

/** One page of products as compared by the app. */
export interface ComparedPage {
  readonly products: readonly Entry[];
  readonly next: string | null;
  readonly remaining: number;
  readonly stopped: { readonly cause: string; readonly retryAfterMs: number } | null;
}

/** All pages so far: every product is counted, the first differing ones are listed. */
export interface Comparison {
  readonly compared: number;
  readonly states: Readonly<Record<State, number>>;
  readonly skusToPublish: number;
  readonly adopted: number;
  readonly entries: readonly Entry[];
}

export const NOTHING_COMPARED: Comparison = {
  compared: 0,
  states: { same: 0, differs: 0, absent: 0, refused: 0, unreadable: 0 },
  skusToPublish: 0,
  adopted: 0,
  entries: [],
};

/** Null: the answer is not one of this app. */
export function comparedPage({ products, next, remaining, stopped }: Entry): ComparedPage | null {
  if (!Array.isArray(products) || !products.every(isCompared)) return null;
  const stop = isEntry(stopped)
    ? { cause: String(stopped['cause']), retryAfterMs: Number(stopped['retryAfterMs']) || 0 }
    : null;
  return { products, next: typeof next === 'string' ? next : null, remaining: Number(remaining) || 0, stopped: stop };
}

/** @param limit most products in the list */
export function withPage(comparison: Comparison, products: readonly Entry[], limit: number): Comparison {
  const states = { ...comparison.states };
  for (const { state } of products) if (isState(state)) states[state] += 1;
  const listed = products.filter(({ state, skusToPublish }) => state !== 'same' || lengthOf(skusToPublish) > 0);
  return {
    compared: comparison.compared + products.length,
    states,
    skusToPublish: comparison.skusToPublish + products.reduce((sum, each) => sum + lengthOf(each['skusToPublish']), 0),
    adopted: comparison.adopted + products.filter(({ adopted }) => adopted === true).length,
    entries: [...comparison.entries, ...listed].slice(0, limit),
  };
}

/** True if the shop has everything compared as it should be. */
export function isAsExpected({ compared, states }: Comparison): boolean {
  return states.same === compared;
}

/** Formats a comparison for a person: the counts, and one row for each difference. */
export function comparisonBlocks({ compared, states, skusToPublish, adopted, entries }: Comparison, say: Say): Block[] {
  const lines: Block[] = [
    line(say('compareSummary', { compared, ...states })),
    line(say('compareSkus', { skus: skusToPublish, adopted })),
  ];
  const rows = entries.flatMap(rowsOf);
  if (rows.length === 0) return lines;
  const columns = {
    reference: 'colReference',
    state: 'colState',
    field: 'colField',
    expected: { pt: 'ESPERADO', en: 'EXPECTED' },
    found: { pt: 'NA LOJA', en: 'IN SHOP' },
  } as const;
  return [...lines, tableOf(say, columns, rows, 'found')];
}

function rowsOf({ externalReference, state, differences }: Entry): Entry[] {
  const found = entriesOf(differences);
  if (found.length === 0) return state === 'same' ? [] : [{ reference: externalReference, state }];
  return found.map(({ skuExternalReference, field, expected, found: value }) => ({
    reference: skuExternalReference ?? externalReference,
    state,
    field,
    expected,
    found: value,
  }));
}

function isCompared(value: unknown): value is Entry {
  return isEntry(value) && isState(value['state']);
}

function isState(value: unknown): value is State {
  return STATES.some((state) => state === value);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
