import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import { Injectable } from '@nestjs/common';
import { blockedToText } from '../waiting/awaiting.ts';
import type { Effect } from '../product-state/applied-product.ts';
import { afterFailedSnapshot, afterReading } from '../product-state/known-product.ts';
import { type ProductProgress, withRead } from './product-progress.ts';
import { compareRead } from '../product-state/read-back.ts';
import { storedText } from '../records/stored-text.ts';
import { hasAll } from '../product-state/sku-snapshots.ts';
import type { ProductAnswer } from '../platform/platform.adapter.ts';
import type { FamilyReader } from '../lanes/catalog-family.service.ts';
import { CatalogMetrics } from '../outcomes/catalog.metrics.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import type { PlannedProduct, ProductLane } from './load-products.service.ts';
import { afterCall, jittered, waits } from '../lanes/catalog-family.service.ts';

type Reading = Extract<PlannedProduct, { kind: 'read' }>;

/** Back-off for a product whose SKUs could not be read. */
const SNAPSHOT_BACKOFF: Backoff = { baseMs: 400, maxMs: 900_000 };

/** Reads products for their records, and to publish their SKUs before the next record is sent. */
@Injectable()
export class ReadProducts implements FamilyReader<ProductLane, ProductProgress, Effect> {
  constructor(
    private readonly plan: PlanProducts,
    private readonly metrics: CatalogMetrics,
  ) {}

  isToBeRead(planned: PlannedProduct): boolean {
    if (planned.kind === 'read') return true;
    if (planned.work.known.snapshot === null) return false;
    return planned.kind === 'send' || (planned.kind === 'idle' && planned.dueInMs === null);
  }

  async read(tenant: CatalogTenant, planned: PlannedProduct, signal: AbortSignal): Promise<PlannedProduct> {
    if (planned.kind === 'read') return this.#readForRecord(tenant, planned, signal);
    if (planned.kind === 'send') return { ...planned, work: await this.#withSkus(tenant, planned.work, signal) };
    if (planned.kind !== 'idle') return planned;
    const work = await this.#withSkus(tenant, planned.work, signal);
    const { snapshot } = work.known;
    const dueInMs = snapshot === null ? null : backoffMs(SNAPSHOT_BACKOFF, snapshot.tries, Math.random());
    return { ...planned, work, dueInMs };
  }

  /** Reads whether the record creates or changes the product, or whether it was applied. */
  async #readForRecord(tenant: CatalogTenant, reading: Reading, signal: AbortSignal): Promise<PlannedProduct> {
    const { work, progress, final } = reading;
    const answer = await readProduct(tenant, work, work.command.traceparent, signal);
    // After the deadline a failed read decides nothing and is not repeated.
    if (answer.kind === 'unavailable' && !final) {
      return waits(work, blockedText(reading, answer.cause), jittered(answer.retryAfterMs));
    }
    const product = answer.kind === 'read' ? answer.product : null;
    const known = progress === null || isAbsent(answer) ? afterReading(work.known, product) : work.known;
    const read =
      progress === null
        ? { ...work, known, looked: true }
        : { ...work, known, command: { ...work.command, progress: storedText(seen(reading, progress, answer)) } };
    const [planned] = await this.plan.plan(tenant, [read]);
    // A read before the record is prepared is not stored, so the same step continues with it.
    return progress === null ? planned! : afterCall(planned!);
  }

  /** Reads the current SKUs; reads them again if one that was applied is missing. */
  async #withSkus<W extends ProductLane>(tenant: CatalogTenant, work: W, signal: AbortSignal): Promise<W> {
    const { known, lane } = work;
    const { snapshot: cause } = known;
    if (cause === null) return work;
    const answer = await readProduct(tenant, work, cause.traceparent, signal);
    // After a record the shop may show the product later; what an operator adopts is as it is.
    if (cause.commandId === undefined && isAbsent(answer)) {
      return { ...work, known: { ...afterReading(known, null), snapshot: null } };
    }
    const readModel = answer.kind === 'read' ? answer.product : null;
    const toPublish = readModel === null ? null : { readModel, cause };
    const observed = readModel === null ? known : afterReading(known, readModel);
    if (readModel !== null && hasAll(readModel, known.applied)) {
      return { ...work, toPublish, known: { ...observed, snapshot: null } };
    }
    const after = afterFailedSnapshot(observed);
    if (after.snapshot === null) this.metrics.skusUnpublished(lane);
    return { ...work, toPublish, known: after };
  }
}

/** Progress of a record that cannot be read or sent now, with the cause for operators. */
export function blockedText({ work, progress }: Pick<Reading, 'work' | 'progress'>, cause: string): string {
  if (progress === null) return blockedToText(work.waiting, cause);
  return storedText({ ...progress, blocked: progress.blocked ?? cause });
}

function readProduct(
  { platform }: CatalogTenant,
  { lane }: ProductLane,
  traceparent: string,
  signal: AbortSignal,
): Promise<ProductAnswer> {
  return platform.readProduct(lane.identity, { signal, traceparent });
}

function isAbsent(answer: ProductAnswer): boolean {
  return answer.kind === 'read' && answer.product === null;
}

function seen({ work, final }: Reading, progress: ProductProgress, answer: ProductAnswer): ProductProgress {
  if (answer.kind !== 'read') return withRead(progress, 'cannot-tell', final);
  if (answer.product === null) return withRead(progress, 'differs', final);
  return withRead(progress, compareRead(progress.body, work.known.applied, answer.product), final);
}
