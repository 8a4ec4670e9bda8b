import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import type { ReadAnswer } from '@gondola/platform-client/answers';
import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import { type JsonRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { ResultEntity } from '@gondola/shared/results/result';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CatalogFlow,
  jittered,
  type Planned,
  plannedStep,
  type Reading,
  type Save,
  saves,
  type Sending,
  waits,
} from '../lanes/catalog-flow.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { withOverlay } from '../lanes/open-line.ts';
import { CatalogMetrics } from '../lanes/catalog.metrics.ts';
import { readProduct } from '../platform/platform.adapter.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { afterFailedSnapshot, afterReading } from '../product-state/known-product.ts';
import { compareRead, type ReadVerdict } from '../product-state/read-back.ts';
import { hasAll } from '../product-state/sku-snapshots.ts';
import { nextInLine } from '../records/next-in-line.ts';
import { storedText } from '../records/stored-text.ts';
import { overtakenFromText, overtakenToText } from '../waiting/overtaking.ts';
import { planProduct } from './decide-product.ts';
import { LoadProducts, NOTHING_NAMED, type NamedEntities, type ProductLane } from './load-products.service.ts';
import type { Prepared } from './prepare-product.ts';
import { lineOf, setByProduct, supersededPlan } from './product-line.ts';
import { type ProductProgress, withRead } from './product-progress.ts';
import { SaveProducts } from './save-products.service.ts';

/** Back-off for a product whose SKUs could not be read. */
const SNAPSHOT_BACKOFF: Backoff = { baseMs: 400, maxMs: 900_000 };

/**
 * Products with their SKUs: the platform reports the outcome of a record, and the product can be read back.
 *
 *   load ──▶ plan ──▶ read for the record, or to publish SKUs ──▶ plan once more ──▶ hold ──▶ call ──▶ save
 */
@Injectable()
export class ProductFlow implements CatalogFlow<ProductLane> {
  readonly kind = 'product';
  readonly isUrgent = false;
  /** Published SKUs of a product: prices and stock wait for them. */
  readonly awaited: CatalogFlow<ProductLane>['awaited'] = {
    kind: 'sku',
    madeKnownBy: ({ toPublish }) => (toPublish === null ? [] : skuReferences(toPublish.readModel)),
    // `WakeSweep` does it for SKUs.
    lastMadeKnown: () => [],
  };

  constructor(
    private readonly loadProducts: LoadProducts,
    private readonly saveProducts: SaveProducts,
    private readonly metrics: CatalogMetrics,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'ask'>,
    private readonly clock: Clock,
  ) {}

  async plan(tenant: CatalogTenant, lanes: readonly ClaimedLane[]): Promise<Planned<ProductLane>[]> {
    return (await this.#planAll(tenant, await this.loadProducts.load(tenant, lanes))).map(afterSnapshot);
  }

  async read(tenant: CatalogTenant, reading: Reading<ProductLane>, signal: AbortSignal): Promise<Planned<ProductLane>> {
    const { before } = reading;
    if (before === null) return this.#readForRecord(tenant, reading, signal);
    if (before.kind === 'send') return { kind: 'send', state: await this.#withSkus(tenant, before.state, signal) };
    const state = await this.#withSkus(tenant, reading.state, signal);
    const { snapshot } = state.known;
    return saves(state, [], snapshot === null ? null : backoffMs(SNAPSHOT_BACKOFF, snapshot.tries, Math.random()));
  }

  routeOf() {
    return 'postProducts' as const;
  }

  itemText({ body }: ProductProgress): string {
    return stringifyWithDigits(body);
  }

  /** False: the report of a product names the product. */
  goesAlone(): boolean {
    return false;
  }

  entityOf(externalReference: string): ResultEntity {
    return { kind: this.kind, externalReference };
  }

  seenReportId({ newestReportId }: ProductLane): string {
    return newestReportId ?? '0';
  }

  blockedText({ command, progress }: ProductLane, cause: string): string {
    if (progress === null) return overtakenToText(overtakenFromText(command?.progress ?? null), cause);
    return storedText({ ...progress, blocked: progress.blocked ?? cause });
  }

  async hold(
    tx: Tx,
    tenant: CatalogTenant,
    sending: readonly Sending<ProductLane>[],
  ): Promise<readonly Sending<ProductLane>[]> {
    return this.saveProducts.hold(tx, tenant, sending);
  }

  /** Zero: SKUs of another product are detected at once. */
  unheldMs(): number {
    return 0;
  }

  lookInMs(tenant: CatalogTenant, state: Sending<ProductLane>): number {
    const { progress } = state;
    const sent = { kind: 'ready', progress, made: [], content: progress.body } as const;
    const plan = this.#plan(tenant, state, sent, NOTHING_NAMED);
    return plan.kind === 'wait' ? plan.ms : 0;
  }

  async save(tx: Tx, tenant: CatalogTenant, saved: readonly SavedStep<Save<ProductLane>>[]): Promise<OutRecord[]> {
    return this.saveProducts.save(tx, tenant, saved);
  }

  async #planAll(tenant: CatalogTenant, states: readonly ProductLane[]): Promise<Planned<ProductLane>[]> {
    const lines = states.map((state) => lineOf(tenant, state));
    const named = await this.loadProducts.namedBy(tenant, lines.flat());
    return lines.map((line) => {
      const plans = line.map((each) => ({
        ...each,
        isReady: each.prepared?.kind === 'ready',
        plan: each.prepared === null ? null : this.#plan(tenant, each.state, each.prepared, named),
      }));
      const { state, plan } = nextInLine(plans, supersededPlan);
      if (plan === null) return saves(state, [], null);
      const step = plannedStep(state, plan, (untilMs) => this.consumed.ask(untilMs));
      return withOverlay(step, (ended, end) => setByProduct(ended, end, tenant.language));
    });
  }

  #plan(tenant: CatalogTenant, state: ProductLane, prepared: Prepared, named: NamedEntities) {
    const { lane, command, consumedUpToMs } = state;
    const deadlineInMs = command?.deadlineInMs ?? null;
    const situation = { ...state, prepared, externalReference: lane.identity, deadlineInMs };
    return planProduct(situation, { ...named, tenant, nowMs: this.clock.now(), consumedUpToMs });
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
      return waits(state, this.blockedText(state, answer.cause), jittered(answer.retryAfterMs));
    }
    const product = answer.kind === 'found' ? answer.value : null;
    const known = progress === null || answer.kind === 'not-found' ? afterReading(state.known, product) : state.known;
    if (progress === null) {
      // A read before the record is prepared is not stored, so the same step continues with it.
      const [planned] = await this.#planAll(tenant, [{ ...state, known, looked: true }]);
      return planned!;
    }
    const seen = withRead(progress, verdictOf(answer, progress, state), final);
    const read = { ...state, known, progress: seen };
    const [planned] = await this.#planAll(tenant, [read]);
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

/** SKUs that are to be published are read before the next record is sent, or while no record is open. */
function afterSnapshot(planned: Planned<ProductLane>): Planned<ProductLane> {
  const { state } = planned;
  const isFree = planned.kind === 'send' || state.command === null;
  return state.known.snapshot !== null && isFree ? { kind: 'read', state, before: planned, final: false } : planned;
}

function verdictOf(answer: ReadAnswer<JsonRecord>, { body }: ProductProgress, { known }: ProductLane): ReadVerdict {
  if (answer.kind === 'not-found') return 'differs';
  return answer.kind === 'found' ? compareRead(body, known.applied, answer.value) : 'cannot-tell';
}
