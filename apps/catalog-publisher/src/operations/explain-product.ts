import { translateProductNames } from '@gondola/shared/catalog/name-translation';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { splitBody } from '../product-state/applied-product.ts';
import type { RecordOutcome } from '../product-state/known-product.ts';
import { referenceText } from '../waiting/awaiting.ts';
import { type Sentence, sentence, type Step, STEPS } from './explanation-texts.ts';

/** Facts that decide whether shoppers see a product. */
export interface ProductFacts {
  /** The oldest open record; null for none. */
  readonly open: {
    readonly waitingFor: readonly AwaitedReference[];
    readonly attempts: number;
    readonly blocked: string | null;
  } | null;
  readonly lastEnd: RecordOutcome | null;
  /** Last applied values. */
  readonly applied: JsonRecord;
  /** The platform's current answer; null if it has no such product, undefined if it could not be asked. */
  readonly readModel: JsonRecord | null | undefined;
  /** From the product's own category to its department; empty for none, null if it is unknown which the shop has. */
  readonly categories:
    | readonly {
        readonly externalReference: string;
        readonly isKnown: boolean;
        /** Null if no record said it. */
        readonly isShown: boolean | null;
      }[]
    | null;
  readonly brand: { readonly externalReference: string; readonly isKnown: boolean } | null;
  /** Active SKUs of the shop, as last read, and whether Gondola has published a price and stock of them. */
  readonly skus: readonly {
    readonly externalReference: string;
    readonly hasPrice: boolean;
    readonly hasStock: boolean;
  }[];
}

export type Actor = 'erp' | 'gondola' | 'platform';

export interface ExplainedStep {
  readonly step: Step;
  readonly state: 'done' | 'waiting' | 'missing' | 'unknown';
  /** The one who must act; null for nobody. */
  readonly who: Actor | null;
  readonly text: string;
}

export interface Explanation {
  /** True if shoppers see the product; null if that is not known. */
  readonly inShop: boolean | null;
  /** The first missing step and who must act; what only helps to find the product comes last. */
  readonly summary: string;
  readonly steps: readonly ExplainedStep[];
}

type Finding = Omit<ExplainedStep, 'step' | 'text'> & {
  readonly says: Sentence;
  readonly params?: Record<string, string>;
};

const done = (says: Sentence): Finding => ({ state: 'done', who: null, says });
const unseen = (says: Sentence): Finding => ({ state: 'unknown', who: null, says });
const missing = (who: Actor, says: Sentence, params: Record<string, string> = {}): Finding => ({
  state: 'missing',
  who,
  says,
  params,
});
const waiting = (who: Actor, says: Sentence, params: Record<string, string> = {}): Finding => ({
  state: 'waiting',
  who,
  says,
  params,
});

/** Steps without which shoppers see no product, each for sure if it is missing (docs/platform.md, "Product"). */
const DECISIVE: ReadonlySet<Step> = new Set(['inShop', 'active', 'displayed', 'skus']);
/** Steps that help shoppers to find a product that they see without them: by search. */
const HELPFUL: ReadonlySet<Step> = new Set(['category', 'brand', 'image']);

const OUTCOME_FINDINGS: Readonly<Record<FinalOutcome, (lastEnd: RecordOutcome) => Finding>> = {
  applied: () => done('outcome'),
  unchanged: () => done('unchanged'),
  invalid: () => missing('erp', 'notSent'),
  refused: (lastEnd) => missing('erp', 'refused', { reason: reasonOf(lastEnd) }),
  superseded: () => unseen('notSent'),
  withdrawn: () => unseen('notSent'),
  unconfirmed: () => missing('platform', 'unconfirmed'),
};

const FINDINGS: Readonly<Record<Step, (facts: ProductFacts) => Finding>> = {
  received: ({ open, lastEnd }) =>
    open === null && lastEnd === null ? missing('erp', 'notReceived') : done('received'),
  valid: ({ lastEnd }) =>
    lastEnd?.outcome === 'invalid' ? missing('erp', 'invalid', { reason: reasonOf(lastEnd) }) : done('valid'),
  references: ({ open }) =>
    open === null || open.waitingFor.length === 0
      ? done('references')
      : waiting('erp', 'waitsFor', { references: open.waitingFor.map(referenceText).join(', ') }),
  sent: ({ open }) => {
    if (open === null || open.attempts > 0 || open.waitingFor.length > 0) return done('sent');
    return open.blocked === null
      ? waiting('gondola', 'queued')
      : waiting('platform', 'blocked', { cause: open.blocked });
  },
  outcome: ({ open, lastEnd }) => {
    if (open !== null && open.attempts > 0) return waiting('platform', 'notYet');
    if (lastEnd === null) return waiting('gondola', 'noOutcome');
    return OUTCOME_FINDINGS[lastEnd.outcome](lastEnd);
  },
  inShop: ({ readModel, lastEnd }) => {
    if (readModel === undefined) return unseen('notRead');
    if (readModel !== null) return done('inShop');
    const isRejected = lastEnd?.outcome === 'invalid' || lastEnd?.outcome === 'refused';
    return missing(isRejected ? 'erp' : 'gondola', 'notInShop');
  },
  active: (facts) => flag(valueOf(facts, 'active'), 'active', 'inactive'),
  displayed: (facts) => flag(valueOf(facts, 'displayInSite'), 'displayed', 'hidden'),
  category: ({ categories }) => {
    if (categories === null) return unseen('categoryNotRead');
    const unknown = categories.find(({ isKnown }) => !isKnown);
    const hidden = categories.find(({ isShown }) => isShown === false);
    if (categories.length === 0) return missing('erp', 'noCategory');
    if (unknown !== undefined) return missing('erp', 'categoryUnknown', { reference: unknown.externalReference });
    if (hidden !== undefined) return missing('erp', 'categoryHidden', { reference: hidden.externalReference });
    return categories.every(({ isShown }) => isShown === true) ? done('category') : unseen('categoryNotShown');
  },
  brand: ({ brand }) =>
    brand === null || brand.isKnown
      ? done('brand')
      : missing('erp', 'brandUnknown', { reference: brand.externalReference }),
  skus: ({ skus, readModel }) => {
    if (skus.length > 0) return done('skus');
    return readModel === undefined ? unseen('notRead') : missing('erp', 'noSkus');
  },
  image: ({ readModel }) => {
    const hasImage = readModel?.['hasImage'];
    if (typeof hasImage !== 'boolean') return unseen('imageUnknown');
    return hasImage ? done('image') : missing('erp', 'noImage');
  },
  price: ({ skus }) =>
    published(
      skus.filter(({ hasPrice }) => !hasPrice),
      'price',
      'noPrice',
    ),
  stock: ({ skus }) =>
    published(
      skus.filter(({ hasStock }) => !hasStock),
      'stock',
      'noStock',
    ),
};

/** The steps after it are about a product that the platform has. */
const OF_SHOP_AFTER = STEPS.indexOf('inShop');

/** Explains why shoppers do not see a product: all steps to the shop, and the first one that is missing. */
export function explainProduct(facts: ProductFacts, language: Language): Explanation {
  const isAbsent = facts.readModel === null;
  const found = STEPS.map((step, index) => {
    const finding = isAbsent && index > OF_SHOP_AFTER ? unseen('notThere') : FINDINGS[step](facts);
    return { step, ...finding };
  });
  const steps = found.map(({ step, state, who, says, params }) => ({
    step,
    state,
    who,
    text: sentence(language, says, params),
  }));
  const undone = steps.filter(({ state }) => state === 'missing' || state === 'waiting');
  const first = undone.find(({ step }) => !HELPFUL.has(step)) ?? undone[0];
  const inShop = isSeen(facts, steps);
  return { inShop, summary: first === undefined ? whole(inShop, language) : withActor(first, language), steps };
}

/**
 * True if shoppers see a product, as far as is known; null if that is not known. A price or stock that Gondola has not
 * published may be in the shop all the same, and the document does not say whether a SKU without one is seen.
 */
function isSeen({ skus, ...facts }: ProductFacts, steps: readonly ExplainedStep[]): boolean | null {
  const decisive = steps.filter(({ step }) => DECISIVE.has(step));
  if (decisive.some(({ state }) => state === 'missing')) return false;
  const isShownSoldOut = valueOf({ skus, ...facts }, 'displayInSoldOut') === true;
  const isSellable = skus.some(({ hasPrice, hasStock }) => hasPrice && (hasStock || isShownSoldOut));
  return decisive.some(({ state }) => state === 'unknown') || !isSellable ? null : true;
}

function withActor({ text, who }: ExplainedStep, language: Language): string {
  return who === null ? text : `${text} ${sentence(language, who)}`;
}

function whole(inShop: boolean | null, language: Language): string {
  return sentence(language, inShop === true ? 'allThere' : 'asFarAsKnown');
}

function published(lacking: ProductFacts['skus'], says: Sentence, lacks: Sentence): Finding {
  if (lacking.length === 0) return done(says);
  return missing('erp', lacks, { references: lacking.map(({ externalReference }) => externalReference).join(', ') });
}

/** Only false hides a product; undefined is unknown. */
function flag(value: JsonValue | undefined, says: Sentence, hides: Sentence): Finding {
  if (value === undefined) return unseen('notRead');
  return value === false ? missing('erp', hides) : done(says);
}

/** The platform's value, else the last applied one; undefined if neither is known. */
function valueOf({ readModel, applied }: ProductFacts, field: string): JsonValue | undefined {
  return readModel !== undefined && readModel !== null && Object.hasOwn(readModel, field)
    ? readModel[field]
    : applied[field];
}

function reasonOf({ reason, errors }: RecordOutcome): string {
  const [first] = errors;
  if (first === undefined) return reason?.message ?? '';
  return first.hint === undefined ? first.message : `${first.message} (${first.hint})`;
}

/** References of the active SKUs of a read model; null if it lists no SKUs, so that the known ones stay valid. */
export function activeSkus(readModel: JsonRecord | null | undefined): string[] | null {
  if (readModel === null || readModel === undefined) return null;
  const { skus } = splitBody(readModel);
  return skus.flatMap(({ externalReference, active }) =>
    typeof externalReference === 'string' && active !== false ? [externalReference] : [],
  );
}

/** Brand and category of a read model, by input name, each null for none; none that it does not speak of. */
export function shopReferences(readModel: JsonRecord | null | undefined): JsonRecord {
  if (readModel === null || readModel === undefined) return {};
  const { brandExternalReference, categoryExternalReference } = translateProductNames(readModel).record;
  const brand = brandExternalReference ?? (readModel['brand'] === null ? null : undefined);
  const category = categoryExternalReference ?? (readModel['category'] === null ? null : undefined);
  return {
    ...(brand !== undefined && { brandExternalReference: brand }),
    ...(category !== undefined && { categoryExternalReference: category }),
  };
}
