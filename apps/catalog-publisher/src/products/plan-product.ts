import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { FieldReason } from '@gondola/shared/results/reason-codes';
import { type Effect, skuReferences } from './applied-product.ts';
import type { Waiting } from '../waiting/awaiting.ts';
import { invalid } from './product-conclusion.ts';
import { decideProduct } from './decide-product.ts';
import type { KnownProduct } from './known-product.ts';
import { immutableReasons, type KnownSku } from '../skus/known-sku.ts';
import type { OperationReport } from '../outcomes/operation-report.ts';
import type { Prepared } from './prepare-product.ts';
import type { ProductProgress } from './product-progress.ts';
import type { StoredReport } from '../outcomes/product-report.ts';
import { concluded, planAwaiting, type PlanContext, type RecordPlan } from '../records/record-plan.ts';

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

export interface ProductContext extends PlanContext {
  /** SKUs that the record names, and those of the product. */
  readonly skus: readonly KnownSku[];
}

type ProductPlan = RecordPlan<ProductProgress, Effect>;

/** The next thing to do for a product's oldest open record. Pure. */
export function planProduct(situation: ProductSituation, context: ProductContext): ProductPlan {
  const { prepared } = situation;
  if (prepared.kind === 'look') return { kind: 'read', progress: null, final: false };
  if (prepared.kind === 'concluded') return stopped(prepared);
  return prepared.progress.sendings.length === 0
    ? planUnsent(situation, prepared, context)
    : planSent(situation, prepared.progress, context);
}

/**
 * Before the first sending: SKUs that cannot be so are told at once (rule 29), references that are not known are waited
 * for.
 */
function planUnsent(
  { externalReference, known, waiting }: ProductSituation,
  ready: Extract<Prepared, { kind: 'ready' }>,
  context: ProductContext,
): ProductPlan {
  const { body, sourceVersion, warnings } = ready.progress;
  const record = { content: ready.content, body, productExternalReference: externalReference };
  const immutable = immutableReasons(record, context.skus, known.applied, context.tenant.language);
  const isInvalid = (errors: readonly FieldReason[]) =>
    stopped({ conclusion: invalid(errors, skuReferences(body)), sourceVersion, warnings });
  if (immutable.length > 0) return isInvalid(immutable);
  const plan = planAwaiting(ready, waiting, context);
  return plan.kind === 'missing' ? isInvalid(plan.errors) : plan;
}

function planSent(situation: ProductSituation, progress: ProductProgress, context: ProductContext): ProductPlan {
  const { known } = situation;
  const { nowMs, consumedUpToMs, tenant } = context;
  const pastOperationIds = new Set(known.pastOperationIds);
  const about = { ...situation, progress, pastOperationIds, nowMs, consumedUpToMs, language: tenant.language };
  const decision = decideProduct(about, tenant.settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  const { sourceVersion, warnings } = progress;
  return concluded(progress, { ...decision.settled, sourceVersion, warnings, anomaly: decision.anomaly });
}

/** Nothing was sent. */
function stopped(end: {
  readonly conclusion: Conclusion;
  readonly sourceVersion: string | null;
  readonly warnings: readonly FieldReason[];
}): ProductPlan {
  return concluded<ProductProgress, Effect>(null, { ...end, effect: { kind: 'none' }, anomaly: false });
}
