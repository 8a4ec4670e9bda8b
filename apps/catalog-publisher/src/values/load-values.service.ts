import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { filledData } from '@gondola/platform-client/wire-bodies';
import { Clock } from '@gondola/service-kit/run/clock';
import { Database } from '@gondola/service-kit/database/database';
import { placeFromText } from '@gondola/shared/catalog/value-place';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { type ValueKind, VALUES } from '@gondola/shared/topics/values';
import { Inject, Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { placeNamesOf } from '../records/place-names.ts';
import type { CatalogLane } from '../lanes/catalog-flow.ts';
import type { OperationReport } from '../notifications/operation-report.ts';
import { PlatformOperationsRepository } from '../notifications/platform-operations.repository.ts';
import type { SkuContent } from '../product-state/known-sku.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import { type Waiting, waitingFromText } from '../waiting/awaiting.ts';
import { type ConcludedValue, lateOutcome, platformIdentity } from './judge-value.ts';
import { type OpenValue, planValues, type ValuePlan } from './plan-values.ts';
import { RenamedLanes } from './renamed-lanes.service.ts';
import { type SettledValue, type ValueLaneState, type ValueProgress, valueProgress } from './value-lane-state.ts';
import { ValueLanesRepository } from './value-lanes.repository.ts';

/** Loaded and planned lane of one price, warehouse or stock; `command` is the value to send next. */
export interface ValueLane extends CatalogLane {
  readonly progress: ValueProgress | null;
  /** The wait in the last `waiting` result of `command`. */
  readonly waiting: Waiting | null;
  readonly state: ValueLaneState;
  readonly corrections: readonly { readonly record: SettledValue; readonly concluded: ConcludedValue }[];
  readonly reports: readonly OperationReport[];
  /** All open records, oldest first. */
  readonly open: readonly OpenCommand[];
  readonly plan: ValuePlan;
}

/** Most unsent records of a lane in one step; the newest of more is found in a later step. */
const MAX_UNSENT = 200;

/** Loads the open values of lanes and plans each. */
@Injectable()
export class LoadValues {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly valueLanes: ValueLanesRepository,
    private readonly operations: PlatformOperationsRepository,
    private readonly skus: SkusRepository,
    private readonly renamed: RenamedLanes,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo' | 'ask'>,
    private readonly clock: Clock,
  ) {}

  async load(tenant: CatalogTenant, kind: ValueKind, lanes: readonly ClaimedLane[]): Promise<ValueLane[]> {
    // Before what is stored is loaded, so that this includes all notifications before that time.
    const consumedUpToMs = this.consumed.upTo();
    const ids = lanes.map(({ id }) => id);
    const {
      commands: all,
      states,
      reports,
      skus,
    } = await this.database.together(async (db) => {
      const [commands, stored] = await Promise.all([
        this.commands.openOf(db, ids, MAX_UNSENT + 1),
        this.valueLanes.load(db, ids),
      ]);
      const known = await this.renamed.mergeStates(db, tenant, kind, lanes, { states: stored, open: commands });
      const [about, published] = await Promise.all([
        this.#reports(db, tenant.id, kind, [...commands.values()].flat(), [...known.values()]),
        this.#skus(db, tenant.id, kind, lanes),
      ]);
      return { commands, states: known, reports: about, skus: published };
    });
    const open = await this.renamed.moveRecords(tenant, kind, lanes, all);
    return lanes.map((lane): ValueLane => {
      const known = { state: states.get(lane.id)!, reports, open: open.get(lane.id) ?? [] };
      const place = placeFromText(lane.identity);
      const sku = skus.get(place.externalReference) ?? null;
      const { externalReference } = place;
      const plan = this.#plan(tenant, kind, { ...known, consumedUpToMs, externalReference, sku });
      const openProgress = known.open.flatMap((each) => valueProgress(each.progress) ?? []);
      const operations = { past: known.state.pastOperationIds, open: openProgress };
      const corrections = known.state.settled.flatMap((record) => {
        const concluded = lateOutcome(kind, record, reports, { language: tenant.language, operations });
        return concluded === null ? [] : [{ record, concluded }];
      });
      const corrected = corrections.map(({ record, concluded: { conclusion } }) => ({ ...record, conclusion }));
      const command = known.open.find(({ id }) => id === plan.head?.id) ?? null;
      const next = plan.head?.next;
      return {
        lane,
        command,
        progress: next?.kind === 'send' ? next.progress : null,
        waiting: waitingFromText(command?.progress ?? null),
        corrected,
        corrections,
        ...known,
        plan,
        ownDueInMs: this.#dueInMs(plan),
      };
    });
  }

  #plan(
    tenant: CatalogTenant,
    kind: ValueKind,
    {
      state,
      reports,
      open,
      consumedUpToMs,
      externalReference,
      sku,
    }: Known & { readonly externalReference: string; readonly sku: SkuContent | null },
  ): ValuePlan {
    const { isOfSku } = VALUES[kind];
    const missing =
      isOfSku && sku === null ? ({ kind: 'sku', externalReference, field: 'externalReference' } as const) : null;
    const values = open.map(openValue);
    const hasMore =
      values.filter(({ progress }) => progress === null || progress.attempts.length === 0).length > MAX_UNSENT;
    const filling = { kind, names: placeNamesOf(tenant, kind), sku, fill: filledData };
    const context = { ...tenant, nowMs: this.clock.now(), consumedUpToMs };
    return planValues({ kind, externalReference, state, values, hasMore, reports, missing, filling }, context);
  }

  /** Milliseconds until one of the values that settle is due; null for none. */
  #dueInMs({ dueInMs, catchUpToMs }: ValuePlan): number | null {
    const dues = [
      ...(dueInMs === null ? [] : [dueInMs]),
      ...(catchUpToMs === null ? [] : [this.consumed.ask(catchUpToMs)]),
    ];
    return dues.length === 0 ? null : Math.min(...dues);
  }

  async #reports(
    db: Queryable,
    tenant: string,
    kind: ValueKind,
    open: readonly OpenCommand[],
    states: readonly ValueLaneState[],
  ): Promise<OperationReport[]> {
    const settled = states.flatMap((state) => state.settled);
    const sent = [
      ...open.flatMap((command) => valueProgress(command.progress) ?? []),
      ...settled.map(({ progress }) => progress),
    ];
    if (sent.length === 0) return [];
    return this.operations.reports(db, tenant, {
      operationIds: sent.flatMap(operationIdsOf),
      kind,
      externalReferences: sent.flatMap(({ body }) => platformIdentity(kind, body) ?? []),
    });
  }

  /** Published SKUs by reference. */
  async #skus(
    db: Queryable,
    tenant: string,
    kind: ValueKind,
    lanes: readonly ClaimedLane[],
  ): Promise<Map<string, SkuContent>> {
    if (!VALUES[kind].isOfSku) return new Map();
    const references = lanes.map(({ identity }) => placeFromText(identity).externalReference);
    const known = await this.skus.load(db, tenant, { references, laneIds: [] });
    return new Map(
      known.flatMap(({ externalReference, content }) => (content === null ? [] : [[externalReference, content]])),
    );
  }
}

interface Known extends Pick<ValueLane, 'state' | 'reports' | 'open'> {
  readonly consumedUpToMs: number | null;
}

function openValue(command: OpenCommand): OpenValue {
  const { id, value, deadlineInMs, progress } = command;
  return { id, value, deadlineInMs, progress: valueProgress(progress), waiting: waitingFromText(progress) };
}
