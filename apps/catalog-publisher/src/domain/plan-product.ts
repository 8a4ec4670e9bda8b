import type { Language } from '@gondola/shared/reason-codes';
import { type Conclusion } from './conclusion.ts';
import { decideProduct, type PublishSettings } from './decide-product.ts';
import type { Effect } from './effect.ts';
import type { KnownProduct } from './known-product.ts';
import { prepareProduct, type TenantCatalog } from './prepare-product.ts';
import { operationIdsOf } from './sendings.ts';
import { type ProductProgress, progressFromText } from './product-progress.ts';
import type { StoredReport } from './product-report.ts';

/** The oldest open record of a product, and what is known beside it. */
export interface ProductWork {
  readonly externalReference: string;
  /** The record's value; null in a tombstone. */
  readonly value: Uint8Array | null;
  /** JSON text; null before the record was prepared. */
  readonly progress: string | null;
  readonly deadlineInMs: number | null;
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
  readonly looked: boolean;
}

/** What to do in a lane. */
export type ProductPlan =
  | { readonly kind: 'send'; readonly progress: ProductProgress }
  /** Without progress: to see whether the record creates or changes something. */
  | { readonly kind: 'read'; readonly progress: ProductProgress | null; readonly final: boolean }
  | { readonly kind: 'wait'; readonly progress: ProductProgress | null; readonly ms: number }
  | { readonly kind: 'catch-up'; readonly progress: ProductProgress; readonly untilMs: number }
  | ConcludePlan;

export interface ConcludePlan {
  readonly kind: 'conclude';
  readonly progress: ProductProgress | null;
  readonly conclusion: Conclusion;
  readonly effect: Effect;
  readonly sourceVersion: string | null;
  /** The report it was concluded by does not add up (rule 26). */
  readonly anomaly: boolean;
}

export interface PlanContext {
  readonly catalog: TenantCatalog;
  readonly language: Language;
  readonly settings: PublishSettings;
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
}

/** The next thing to do for a product's oldest open record. Pure. */
export function planProduct(work: ProductWork, context: PlanContext): ProductPlan {
  const { catalog, language, settings } = context;
  const prepared = preparedOf(work, catalog, language);
  if (prepared.kind === 'look') return { kind: 'read', progress: null, final: false };
  if (prepared.kind === 'concluded') {
    const { conclusion, sourceVersion } = prepared;
    return {
      kind: 'conclude',
      progress: null,
      conclusion,
      effect: { kind: 'none' },
      sourceVersion,
      anomaly: false,
    };
  }
  const { progress } = prepared;
  const { known, reports, deadlineInMs } = work;
  const pastOperationIds = new Set(known.pastOperationIds);
  const decision = decideProduct({ ...context, progress, reports, pastOperationIds, deadlineInMs }, settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  const { settled, anomaly } = decision;
  return { kind: 'conclude', progress, ...settled, sourceVersion: progress.sourceVersion, anomaly };
}

/** Stored progress says that the record was prepared before. */
function preparedOf(work: ProductWork, catalog: TenantCatalog, language: Language) {
  const progress = progressFromText(work.progress);
  return progress === null
    ? prepareProduct(work, work.known, catalog, language)
    : ({ kind: 'ready', progress } as const);
}

/** The operations of a record, however far it came. */
export function planOperationIds({ progress }: Pick<ConcludePlan, 'progress'>): string[] {
  return progress === null ? [] : operationIdsOf(progress);
}
