import type { Json } from './parsed.ts';

/** Items that the checks of a platform send to the test shop, as data. */

type Lengths = Readonly<Record<string, readonly [fewest: number, most: number]>>;

/** Required texts; 0: no limit. */
const PRODUCT_TEXTS: Lengths = {
  name: [5, 400],
  slug: [0, 400],
  title: [3, 400],
  shortDescription: [3, 500],
  longDescription: [3, 0],
};
const SKU_TEXTS: Lengths = { name: [0, 400], ean: [0, 30], reference: [0, 100], manufacturerCode: [0, 50] };
const MEASURES = ['weight', 'height', 'width', 'length'].flatMap((each) => [`${each}ForFreight`, `${each}Real`]);
export const UNITS: readonly string[] = ['Un', 'Kg', 'G', 'Mg'];

const x = (length: number): string => 'x'.repeat(Math.max(length, 0));

/** One statement about several fields, and the value that breaks it; undefined: the field is absent. */
function breaking(fields: readonly string[], statement: string, value: unknown): Record<string, Json> {
  return Object.fromEntries(fields.map((field) => [`\`${field}\` ${statement}`, { [field]: value }]));
}

function limitsOf(texts: Lengths): Record<string, Json> {
  const rows = Object.entries(texts).map(([field, [fewest, most]]) => ({
    ...breaking([field], 'is required', undefined),
    ...(fewest > 0 && breaking([field], `has at least ${fewest} characters`, x(fewest - 1))),
    ...(most > 0 && breaking([field], `has at most ${most} characters`, x(most + 1))),
  }));
  return Object.assign({}, ...rows) as Record<string, Json>;
}

/** Fields of a product that break a statement, by the statement. */
export const BROKEN_PRODUCTS: Readonly<Record<string, Json>> = {
  ...limitsOf(PRODUCT_TEXTS),
  ...breaking(['categoryExternalReference', 'brandExternalReference'], 'has at most 30 characters', x(31)),
  ...breaking(['displayInSite', 'displayInSoldOut', 'active'], 'is a boolean', 'yes'),
  ...breaking(['commercialPolicyId'], 'is a GUID', 'policy'),
  ...breaking(['ean'], 'has at most 48 characters', x(49)),
  ...breaking(['punctuation'], 'is 0 or more', -1),
};

export const BROKEN_SKUS: Readonly<Record<string, Json>> = {
  ...limitsOf(SKU_TEXTS),
  ...breaking(['unitOfMeasurement', 'arrivalDate'], 'is required', undefined),
  ...breaking(MEASURES, 'is required, a number above 0', 0),
  ...breaking(['arrivalDate'], 'is a date in the form YYYY-MM-DD', '20/11/2026'),
  ...breaking(['arithmeticFactor'], 'is an optional number', 'half'),
  ...breaking(['exhibitionBadge1', 'exhibitionBadge2', 'exhibitionBadge3'], 'has at most 15 characters', x(16)),
};

/** Fields that the read model shows as they were sent. */
export const SHOWN = {
  product: 'name title slug shortDescription longDescription similarTerms fiscalCode ean punctuation active'.split(' '),
  sku: ['externalReference', 'name', 'ean', 'reference', 'manufacturerCode', 'arrivalDate', ...MEASURES],
};

/** Items of a test shop, whose references all begin with `prefix`. */
export function itemsOf(prefix: string, commercialPolicyId: string) {
  const product = (name: string, more: Json = {}): Json => {
    const own = { externalReference: `${prefix}-${name}`, slug: `${prefix}-${name}`, commercialPolicyId };
    const texts = { name: 'Produto de teste', title: 'Produto de teste', shortDescription: 'Produto', punctuation: 0 };
    const optional = { similarTerms: 'teste', fiscalCode: '04061010', ean: '7891000100103', active: true };
    return { ...own, ...texts, longDescription: 'Produto de teste', ...optional, ...more };
  };
  const sku = (name: string, more: Json = {}): Json => {
    const own = { externalReference: `${prefix}-${name}`, reference: `${prefix}-${name}`, manufacturerCode: 'TESTE-1' };
    const measures = Object.fromEntries(MEASURES.map((field, at) => [field, at + 1]));
    const texts = { name: 'SKU de teste', ean: '7891000100103', unitOfMeasurement: 'Un', arrivalDate: '2026-11-20' };
    return { ...own, ...texts, ...measures, ...more };
  };
  const long = { externalReference: `${prefix}-`.padEnd(60, 'x'), slug: `${prefix}-`.padEnd(400, 'x') };
  /** Every text at its longest. */
  const limits = product('limits', { ...longest(PRODUCT_TEXTS), ...long, skus: [sku('limits', longest(SKU_TEXTS))] });
  return { product, sku, limits };
}

function longest(texts: Lengths): Json {
  return Object.fromEntries(Object.entries(texts).map(([field, [, most]]) => [field, x(most || 2_000)]));
}
