import type { ReadAnswer } from '@gondola/platform-client/answers';
import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { overtakenFromText, overtakenToText } from '../waiting/overtaking.ts';
import { afterFailedSnapshot, afterReading } from '../product-state/known-product.ts';
import { type ProductProgress, withRead } from './product-progress.ts';
import { readProduct } from '../platform/platform.adapter.ts';
import { compareRead, type ReadVerdict } from '../product-state/read-back.ts';
import { storedText } from '../records/stored-text.ts';
import { hasAll } from '../product-state/sku-snapshots.ts';
import { jittered, type Planned, type Reading, saves, waits } from '../lanes/catalog-flow.ts';
import { CatalogMetrics } from '../outcomes/catalog.metrics.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import type { ProductLane } from './load-products.service.ts';

/** Back-off for a product whose SKUs could not be read. */
const SNAPSHOT_BACKOFF: Backoff = { baseMs: 400, maxMs: 900_000 };

/** Reads products for their records, and to publish their SKUs before the next record is sent. */
@Injectable()
export class ReadProducts {
  constructor(
    private readonly plan: PlanProducts,
    private readonly metrics: CatalogMetrics,
  ) {}

  async read(tenant: CatalogTenant, reading: Reading<ProductLane>, signal: AbortSignal): Promise<Planned<ProductLane>> {
    const { before } = reading;
    if (before === null) return this.#readForRecord(tenant, reading, signal);
    if (before.kind === 'send') return { kind: 'send', state: await this.#withSkus(tenant, before.state, signal) };
    const state = await this.#withSkus(tenant, reading.state, signal);
    const { snapshot } = state.known;
    return saves(state, [], snapshot === null ? null : backoffMs(SNAPSHOT_BACKOFF, snapshot.tries, Math.random()));
  }

  /** Reads whether the record creates or changes the product, or whether it was applied. */
  async #readForRecord(
    tenant: CatalogTenant,
    { state, final }: Reading<ProductLane>,
    signal: AbortSignal,
  ): Promise<Planned<ProductLane>> {
    const { progress, command } = state;
    if (command === null) throw new Error('Only an open record is read for');
    const answer = await readProduct(tenant.platform, state.lane.identity, {
      signal,
      traceparent: command.traceparent,
    });
    // After the deadline a failed read decides nothing and is not repeated.
    if (answer.kind === 'unavailable' && !final) {
      return waits(state, blockedText(state, answer.cause), jittered(answer.retryAfterMs));
    }
    const product = answer.kind === 'found' ? answer.value : null;
    const known = progress === null || answer.kind === 'not-found' ? afterReading(state.known, product) : state.known;
    if (progress === null) {
      // A read before the record is prepared is not stored, so the same step continues with it.
      const [planned] = await this.plan.plan(tenant, [{ ...state, known, looked: true }]);
      return planned!;
    }
    const seen = withRead(progress, verdictOf(answer, progress, state), final);
    const read = { ...state, known, progress: seen };
    const [planned] = await this.plan.plan(tenant, [read]);
    // Everything but a wait follows in another step, once what was read is stored.
    const isWaiting = planned?.kind === 'save' && planned.state.end === null;
    return isWaiting ? planned : waits(read, storedText(seen), 0);
  }

  /** Reads the current SKUs; reads them again if one that was applied is missing. */
  async #withSkus<W extends ProductLane>(tenant: CatalogTenant, work: W, signal: AbortSignal): Promise<W> {
    const { known, lane } = work;
    const { snapshot: cause } = known;
    if (cause === null) return work;
    const { traceparent } = cause;
    const answer = await readProduct(tenant.platform, lane.identity, { signal, traceparent });
    // After a record the shop may show the product later; what an operator adopts is as it is.
    if (cause.commandId === undefined && answer.kind === 'not-found') {
      return { ...work, known: { ...afterReading(known, null), snapshot: null } };
    }
    const readModel = answer.kind === 'found' ? answer.value : null;
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
export function blockedText({ command, progress }: ProductLane, cause: string): string {
  if (progress === null) return overtakenToText(overtakenFromText(command?.progress ?? null), cause);
  return storedText({ ...progress, blocked: progress.blocked ?? cause });
}

function verdictOf(answer: ReadAnswer<JsonRecord>, { body }: ProductProgress, { known }: ProductLane): ReadVerdict {
  if (answer.kind === 'not-found') return 'differs';
  return answer.kind === 'found' ? compareRead(body, known.applied, answer.value) : 'cannot-tell';
}
