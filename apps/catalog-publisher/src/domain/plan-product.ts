import type { FieldReason, Language } from '@gondola/shared/results/reason-codes';
import { skuReferences } from './applied-product.ts';
import { decideAwaiting, missingReasons, referenceText, type Waiting } from './awaiting.ts';
import { type RecordConclusion, invalid } from './conclusion.ts';
import { decideProduct, type PublishSettings } from './decide-product.ts';
import type { Effect } from './effect.ts';
import type { KnownProduct } from './known-product.ts';
import { type AssumedReferences, isAssumed } from './known-references.ts';
import { immutableReasons, type KnownSku } from './known-sku.ts';
import type { OperationReport } from './operation-report.ts';
import type { Prepared } from './prepare-product.ts';
import type { ProductProgress } from './product-progress.ts';
import type { StoredReport } from './product-report.ts';

/** The oldest open record of a product, and what is known beside it. */
export interface ProductSituation {
  readonly externalReference: string;
  readonly prepared: Prepared;
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
  readonly operationReports: readonly OperationReport[];
}

/** What to do in a lane. */
export type ProductPlan =
  | { readonly kind: 'send'; readonly progress: ProductProgress }
  /** Without progress: to see whether the record creates or changes something. */
  | { readonly kind: 'read'; readonly progress: ProductProgress | null; readonly final: boolean }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly progress: ProductProgress | null; readonly ms: number }
  | { readonly kind: 'catch-up'; readonly progress: ProductProgress; readonly untilMs: number }
  | ConcludePlan;

interface ConcludePlan {
  readonly kind: 'conclude';
  readonly progress: ProductProgress | null;
  readonly conclusion: RecordConclusion;
  readonly effect: Effect;
  readonly sourceVersion: string | null;
  readonly warnings: readonly FieldReason[];
  /** The report it was concluded by does not add up (rule 26). */
  readonly anomaly: boolean;
}

export interface PlanContext {
  readonly tenant: {
    readonly language: Language;
    readonly assumed: AssumedReferences;
    /** From the first `waiting` to `REFERENCE_MISSING`. */
    readonly referencesMs: number;
  };
  readonly settings: PublishSettings;
  /** `referenceText` of the brands and categories that are known, of those that the record names. */
  readonly knownReferences: ReadonlySet<string>;
  /** SKUs that the record names, and those of the product. */
  readonly skus: readonly KnownSku[];
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
}

const NO_EFFECT: Effect = { kind: 'none' };

/** The next thing to do for a product's oldest open record. Pure. */
export function planProduct(situation: ProductSituation, context: PlanContext): ProductPlan {
  const { prepared } = situation;
  if (prepared.kind === 'look') return { kind: 'read', progress: null, final: false };
  if (prepared.kind === 'concluded') return stopped(prepared);
  return prepared.progress.sendings.length === 0
    ? planUnsent(situation, prepared, context)
    : planSent(situation, prepared.progress, context);
}

/**
 * Before the first sending: SKUs that cannot be so are told at once (rule 29), references that are not known are waited
 * for (rule 24).
 */
function planUnsent(
  { externalReference, known, waiting }: ProductSituation,
  { progress, made, content }: Extract<Prepared, { kind: 'ready' }>,
  { tenant, knownReferences, skus, nowMs }: PlanContext,
): ProductPlan {
  const { language, assumed, referencesMs } = tenant;
  const { body, sourceVersion, warnings } = progress;
  const record = { content, body, productExternalReference: externalReference };
  const immutable = immutableReasons(record, skus, known.applied, language);
  if (immutable.length > 0)
    return stopped({ conclusion: invalid(immutable, skuReferences(body)), sourceVersion, warnings });
  const missing = made.filter((each) => !knownReferences.has(referenceText(each)) && !isAssumed(assumed, each));
  const awaiting = decideAwaiting(missing, waiting, nowMs, referencesMs);
  if (awaiting.kind === 'go') return { kind: 'send', progress };
  if (awaiting.kind === 'wait') return { ...awaiting, progress: null };
  if (awaiting.kind === 'announce') return awaiting;
  const conclusion = invalid(missingReasons(awaiting.missing, language), skuReferences(body));
  return stopped({ conclusion, sourceVersion, warnings });
}

function planSent(situation: ProductSituation, progress: ProductProgress, context: PlanContext): ProductPlan {
  const { known } = situation;
  const { nowMs, consumedUpToMs, settings, tenant } = context;
  const pastOperationIds = new Set(known.pastOperationIds);
  const about = { ...situation, progress, pastOperationIds, nowMs, consumedUpToMs, language: tenant.language };
  const decision = decideProduct(about, settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  const { settled, anomaly } = decision;
  const { sourceVersion, warnings } = progress;
  return { kind: 'conclude', progress, ...settled, sourceVersion, warnings, anomaly };
}

/** Nothing was sent. */
function stopped(end: Pick<ConcludePlan, 'conclusion' | 'sourceVersion' | 'warnings'>): ConcludePlan {
  const { conclusion, sourceVersion, warnings } = end;
  return { kind: 'conclude', progress: null, conclusion, effect: NO_EFFECT, sourceVersion, warnings, anomaly: false };
}
