import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable } from '@nestjs/common';
import { skuReferences } from '../product-state/applied-product.ts';
import { nextInLine } from '../records/next-in-line.ts';
import { type LineRecord, lineOf, supersededPlan, withOverlay } from './product-line.ts';
import { overtakenFromText } from '../waiting/overtaking.ts';
import { planProduct, type ProductContext } from './decide-product.ts';
import { type Prepared, prepareProduct, prepareResend } from './prepare-product.ts';
import { isResend } from '../records/resend.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { knownSkus } from '../product-state/known-sku.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { ProductLane } from './load-products.service.ts';
import { type Planned, saves, type Sending } from '../lanes/catalog-flow.ts';
import { plannedStep } from '../lanes/planned-step.ts';

interface PreparedRecord extends LineRecord {
  /** Null without an open record. */
  readonly prepared: Prepared | null;
}

/** Entities that records name. */
type Around = Pick<ProductContext, 'knownReferences' | 'skus'>;

const NOTHING_AROUND: Around = { knownReferences: new Set(), skus: knownSkus([]) };

/** Plans records: prepares new ones, loads the entities that they refer to, and calls `planProduct`. */
@Injectable()
export class PlanProducts {
  constructor(
    private readonly database: Database,
    private readonly references: ReferencesRepository,
    private readonly skus: SkusRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'ask'>,
    private readonly clock: Clock,
  ) {}

  async plan(tenant: CatalogTenant, states: readonly ProductLane[]): Promise<Planned<ProductLane>[]> {
    const lines = states.map((state) =>
      lineOf(tenant, state).map((each) => ({ ...each, prepared: each.invalid ?? prepared(tenant, each) })),
    );
    const around = await this.#around(tenant.id, lines.flat());
    return lines.map((line) => {
      const plans = line.map((each) => ({
        ...each,
        isReady: each.prepared?.kind === 'ready',
        plan: each.prepared === null ? null : this.#plan(tenant, each.state, each.prepared, around),
      }));
      const { state, plan } = nextInLine(plans, supersededPlan);
      if (plan === null) return saves(state, [], null);
      return withOverlay(
        plannedStep(state, plan, (untilMs) => this.consumed.ask(untilMs)),
        tenant.language,
      );
    });
  }

  /** Milliseconds until a record is looked at again whose call was answered. */
  lookInMs(tenant: CatalogTenant, state: Sending<ProductLane>): number {
    const { progress } = state;
    const plan = this.#plan(
      tenant,
      state,
      { kind: 'ready', progress, made: [], content: progress.body },
      NOTHING_AROUND,
    );
    return plan.kind === 'wait' ? plan.ms : 0;
  }

  #plan(tenant: CatalogTenant, state: ProductLane, ready: Prepared, around: Around) {
    const { lane, command, consumedUpToMs } = state;
    const deadlineInMs = command?.deadlineInMs ?? null;
    const situation = { ...state, prepared: ready, externalReference: lane.identity, deadlineInMs };
    return planProduct(situation, { ...around, tenant, nowMs: this.clock.now(), consumedUpToMs });
  }

  /** Loads the entities that unsent records name. */
  async #around(tenant: string, records: readonly PreparedRecord[]): Promise<Around> {
    const fresh = records.flatMap(({ state, prepared: each }) =>
      each?.kind === 'ready' && each.progress.attempts.length === 0 ? [{ state, ...each }] : [],
    );
    if (fresh.length === 0) return NOTHING_AROUND;
    const made = fresh.flatMap((each) => each.made);
    const wanted = {
      references: fresh.flatMap(({ progress }) => skuReferences(progress.body)),
      laneIds: fresh.map(({ state }) => state.lane.id),
    };
    const [knownReferences, skus] = await this.database.together((db) =>
      Promise.all([this.references.known(db, tenant, made), this.skus.load(db, tenant, wanted)]),
    );
    return { knownReferences, skus: knownSkus(skus) };
  }
}

function prepared({ catalog, language }: CatalogTenant, { state, known, over }: LineRecord): Prepared | null {
  const { command, lane, looked, progress } = state;
  if (command === null) return null;
  if (progress !== null) return { kind: 'ready', progress, made: [], content: progress.body };
  if (isResend(command)) return prepareResend(lane.identity, known, catalog, language);
  const before = overtakenFromText(command.progress);
  const waited = before.waiting !== null || before.over !== null;
  const record = { value: command.value, externalReference: lane.identity, looked, over, waited };
  return prepareProduct(record, known, catalog, language);
}
