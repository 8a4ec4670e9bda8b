import type { JsonRecord } from '@gondola/shared/json/json-digits';
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
  /** From the product's own category to its department. */
  readonly categories: readonly {
    readonly externalReference: string;
    readonly isKnown: boolean;
    readonly isShown: boolean;
  }[];
  readonly brand: { readonly externalReference: string; readonly isKnown: boolean } | null;
  /** Active SKUs of the shop, as last read. */
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
  /** Null if a step could not be checked. */
  readonly inShop: boolean | null;
  /** The first missing step and who must act. */
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

/** Steps without which shoppers do not see a product; the others only explain why one of these is missing. */
const SEEN_BY_SHOPPERS: ReadonlySet<Step> = new Set([
  'inShop',
  'active',
  'displayed',
  'category',
  'skus',
  'price',
  'stock',
]);

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
  active: (facts) => (valueOf(facts, 'active') === false ? missing('erp', 'inactive') : done('active')),
  displayed: (facts) => (valueOf(facts, 'displayInSite') === false ? missing('erp', 'hidden') : done('displayed')),
  category: ({ categories }) => {
    const unknown = categories.find(({ isKnown }) => !isKnown);
    const hidden = categories.find(({ isShown }) => !isShown);
    if (categories.length === 0) return missing('erp', 'noCategory');
    if (unknown !== undefined) return missing('erp', 'categoryUnknown', { reference: unknown.externalReference });
    return hidden === undefined
      ? done('category')
      : missing('erp', 'categoryHidden', { reference: hidden.externalReference });
  },
  brand: ({ brand }) =>
    brand === null || brand.isKnown
      ? done('brand')
      : missing('erp', 'brandUnknown', { reference: brand.externalReference }),
  skus: ({ skus }) => (skus.length === 0 ? missing('erp', 'noSkus') : done('skus')),
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
  const first = steps.find(({ state }) => state === 'missing' || state === 'waiting');
  const seen = steps.filter(({ step }) => SEEN_BY_SHOPPERS.has(step));
  const isHidden = seen.some(({ state }) => state === 'missing');
  const isUnseen = seen.some(({ state }) => state === 'unknown');
  const inShop = isUnseen && !isHidden ? null : !isHidden;
  return { inShop, summary: first === undefined ? whole(inShop, language) : withActor(first, language), steps };
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

/** The platform's value, else the last applied one. */
function valueOf({ readModel, applied }: ProductFacts, field: string) {
  return readModel?.[field] ?? applied[field];
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
