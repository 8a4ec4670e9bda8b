import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { hasConsumed } from '@gondola/shared/commands/retry';
import type { ResultEntity } from '@gondola/shared/results/result';
import { Inject, Injectable } from '@nestjs/common';
import { type CatalogFlow, type Planned, plannedStep, type Save, saves, type Sending } from '../lanes/catalog-flow.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { openLine, withOverlay } from '../lanes/open-line.ts';
import type { BatchRoute } from '@gondola/platform-client/routes';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { storedText } from '../records/stored-text.ts';
import { nextInLine } from '../records/next-in-line.ts';
import { overtakenFromText, overtakenToText } from '../waiting/overtaking.ts';
import { judgeLine, type ReferenceLineRecord, setByReference, supersededPlan } from './reference-line.ts';
import { planReference } from './decide-reference.ts';
import { LoadReferences, type ReferenceLane } from './load-references.service.ts';
import { mentionedReferences, type PreparedReference, prepareReference } from './prepare-reference.ts';
import { REFERENCE_RULES, type ReferenceSurroundings } from './reference-rules.ts';
import { isMove, isRefusedFor, mayFindCycle, movesOf, othersPauseMs, undecidedMoves } from './await-others.ts';
import { OpenOthers } from './open-others.service.ts';
import { ReferencesRepository } from './references.repository.ts';
import { SaveReferences } from './save-references.service.ts';
import { type ReferenceProgress, referenceProgress } from './stored-reference.ts';

/** Checks per settling time for whether the tree that covers a category has settled. */
const LOOKS_PER_SETTLING = 20;
const MIN_HELD_MS = 100;

const REFUSALS_FOR_OTHERS = ['REFERENCE_CYCLE', 'REFERENCE_IN_USE'] as const;

/** Stored state that new records are prepared with. */
interface Around extends Pick<ReferenceSurroundings, 'stored' | 'parents'> {
  /** References in use by products. */
  readonly inUse: ReadonlySet<string>;
}

/** A record that may be the next one of its lane, prepared. */
interface PreparedRecord extends ReferenceLineRecord {
  /** Null without an open record. */
  readonly prepared: PreparedReference | null;
}

const NOTHING_AROUND: Around = { stored: new Map(), parents: new Map(), inUse: new Set() };

/** Brands or categories: sent whole, without a documented success event, and not readable. */
@Injectable()
abstract class ReferenceFlow implements CatalogFlow<ReferenceLane> {
  abstract readonly kind: ReferenceKind;
  abstract routeOf(state: Sending<ReferenceLane>): BatchRoute;

  readonly read = null;
  readonly isUrgent = false;

  constructor(
    private readonly database: Database,
    private readonly references: ReferencesRepository,
    private readonly others: OpenOthers,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'ask'>,
    private readonly clock: Clock,
    private readonly loadReferences: LoadReferences,
    private readonly saveReferences: SaveReferences,
  ) {}

  get awaited(): NonNullable<CatalogFlow<ReferenceLane>['awaited']> {
    return {
      kind: this.kind,
      madeKnownBy: ({ end }) => end?.effect.entered.map(({ externalReference }) => externalReference) ?? [],
      lastMadeKnown: ({ state }) => state.entered,
    };
  }

  async plan(tenant: CatalogTenant, lanes: readonly ClaimedLane[]): Promise<Planned<ReferenceLane>[]> {
    const loaded = await this.loadReferences.load(tenant, this.kind, lanes);
    const open = loaded.map((each) => openLine(each, referenceProgress));
    const fresh = open.flat().filter(({ command, progress }) => command !== null && progress === null);
    const around = await this.#around(tenant.id, fresh);
    const { language, catalog } = tenant;
    const surroundings = { ...around, language, allowedExtraKeys: catalog.allowedExtraKeys };
    const lines = open.map((states) =>
      judgeLine(this.kind, states, surroundings).map((each) => ({
        ...each,
        prepared: each.invalid ?? this.#prepare(tenant, each, around),
      })),
    );
    const records = lines.flat();
    const awaiting = await this.#awaitingOthers(tenant, records, around);
    const made = records.flatMap(({ prepared }) => (prepared?.kind === 'ready' ? prepared.made : []));
    const knownReferences = await this.references.known(this.database, tenant.id, made);
    return lines.map((line) => {
      const plans = line.map((each) => {
        const { state, prepared } = each;
        const isReady = prepared?.kind === 'ready';
        if (prepared === null) return { ...each, isReady, plan: null };
        const pause = this.#pauseForOthers(tenant, state, prepared, awaiting.has(state.command?.id ?? ''));
        return { ...each, isReady, plan: pause ?? this.#plan(tenant, state, prepared, knownReferences) };
      });
      const { state, plan } = nextInLine(plans, supersededPlan);
      if (plan === null) return saves(state, [], null);
      const known = state.progress === null ? around.stored : state.known;
      const step = plannedStep({ ...state, known }, plan, (untilMs) => this.consumed.ask(untilMs));
      return withOverlay(step, (ended, end) => setByReference(ended, end, tenant.language));
    });
  }

  itemText({ body, route }: ReferenceProgress): string {
    return stringifyWithDigits(route === 'delete' ? (body['externalReference'] ?? null) : body);
  }

  /** False: the report of a brand or category names it. */
  goesAlone(): boolean {
    return false;
  }

  entityOf(externalReference: string): ResultEntity {
    return { kind: this.kind, externalReference };
  }

  seenReportId({ reports }: ReferenceLane): string {
    return reports.at(-1)?.id ?? '0';
  }

  blockedText({ command, progress }: ReferenceLane, cause: string): string {
    // Without a stored attempt the references are not held, so the record is prepared again.
    if (progress === null || referenceProgress(command?.progress ?? null) === null) {
      return overtakenToText(overtakenFromText(command?.progress ?? null), progress?.blocked ?? cause);
    }
    return storedText({ ...progress, blocked: progress.blocked ?? cause });
  }

  async hold(
    tx: Tx,
    tenant: CatalogTenant,
    sending: readonly Sending<ReferenceLane>[],
  ): Promise<readonly Sending<ReferenceLane>[]> {
    return this.saveReferences.hold(tx, tenant, this.kind, sending);
  }

  /** A fraction of the settling time: a category that another record's tree covers is free once that has settled. */
  unheldMs({ settings: { settleMs } }: CatalogTenant): number {
    return Math.max(settleMs / LOOKS_PER_SETTLING, MIN_HELD_MS);
  }

  lookInMs(tenant: CatalogTenant, state: Sending<ReferenceLane>): number {
    const plan = this.#plan(tenant, state, { kind: 'ready', progress: state.progress, made: [] }, new Set());
    return plan.kind === 'wait' ? plan.ms : 0;
  }

  async save(tx: Tx, tenant: CatalogTenant, saved: readonly SavedStep<Save<ReferenceLane>>[]): Promise<OutRecord[]> {
    return this.saveReferences.save(tx, tenant, this.kind, saved);
  }

  #plan(
    tenant: CatalogTenant,
    { waiting, reports, command, state, consumedUpToMs }: ReferenceLane,
    prepared: PreparedReference,
    knownReferences: ReadonlySet<string>,
  ) {
    const { pastOperationIds } = state;
    const deadlineInMs = command?.deadlineInMs ?? null;
    const planned = { kind: this.kind, prepared, waiting, reports, pastOperationIds, deadlineInMs };
    return planReference(planned, { tenant, knownReferences, nowMs: this.clock.now(), consumedUpToMs });
  }

  /** Null without an open record. */
  #prepare(
    { language, catalog: { allowedExtraKeys } }: CatalogTenant,
    {
      state: { command, lane, progress },
      sourceVersion,
      over,
    }: Pick<ReferenceLineRecord, 'state' | 'sourceVersion' | 'over'>,
    { inUse, ...around }: Around,
  ): PreparedReference | null {
    if (command === null) return null;
    if (progress !== null) return { kind: 'ready', progress, made: [] };
    const { waiting, over: before } = overtakenFromText(command.progress);
    const waited = waiting !== null || before !== null;
    const record = { kind: this.kind, value: command.value, externalReference: lane.identity, over, waited };
    const own = { inUse: inUse.has(lane.identity), sourceVersion };
    return prepareReference(record, { ...around, ...own, allowedExtraKeys, language });
  }

  /**
   * Records that are judged otherwise once earlier open records of others have ended: a move of a category by where
   * they put its ancestors, the removal of a brand by whether they take products from it.
   */
  async #awaitingOthers(
    tenant: CatalogTenant,
    records: readonly PreparedRecord[],
    around: Around,
  ): Promise<ReadonlySet<string>> {
    const asking = records.flatMap((each) => {
      const { prepared, state } = each;
      return prepared !== null && state.progress === null && state.command !== null
        ? [{ ...each, prepared, id: state.command.id }]
        : [];
    });
    const inUse = asking.filter(({ prepared }) => isRefusedFor(prepared, 'REFERENCE_IN_USE'));
    const removals = inUse.map(({ state, id }) => ({ id, brand: state.lane.identity }));
    const free = await this.others.mayBecomeFree(tenant.id, removals);
    const moves = asking.filter(
      ({ prepared }) => isRefusedFor(prepared, 'REFERENCE_CYCLE') || isMove(prepared, around.stored),
    );
    const changed = moves.length === 0 ? [] : await this.#judgedOtherwise(tenant, moves, around);
    return new Set([...inUse.filter(({ state }) => free.has(state.lane.identity)), ...changed].map(({ id }) => id));
  }

  /**
   * Moves that lead to a cycle only with, or only without, some of what earlier open records do to other categories,
   * and those behind a move of which that is not decided yet. The parents are read once more behind the open records:
   * one that ended in between counts by what it did.
   */
  async #judgedOtherwise<M extends PreparedRecord & { readonly prepared: PreparedReference; readonly id: string }>(
    tenant: CatalogTenant,
    moves: readonly M[],
    around: Around,
  ): Promise<M[]> {
    const open = await this.others.categories(tenant.id);
    const placed = open.map((each) => ({ ...each, moves: movesOf(each) }));
    const reached = placed.flatMap(({ moves: parents }) => parents.flatMap(([, parent]) => parent ?? []));
    const parents = await this.references.parents(this.database, tenant.id, [
      ...new Set([...around.parents.keys(), ...reached]),
    ]);
    const now = new Map([...around.parents, ...parents]);
    const undecided = new Set(undecidedMoves(placed, now));
    return moves.filter((move) => {
      const { state, prepared, id } = move;
      const at = placed.findIndex((each) => each.id === id);
      const earlier = placed
        .slice(0, at < 0 ? undefined : at)
        .filter(({ identity }) => identity !== state.lane.identity);
      if (earlier.some((each) => undecided.has(each))) return true;
      const given = earlier.flatMap((each) => each.moves);
      if (prepared.kind === 'ready') {
        const own = new Map(prepared.progress.sent.map((each) => [each.externalReference, each.parent]));
        return mayFindCycle(own, now, given);
      }
      const later = new Map([...now, ...given]);
      const then = this.#prepare(tenant, move, { ...around, parents: later });
      return then !== null && !isRefusedFor(then, 'REFERENCE_CYCLE');
    });
  }

  /** The app stores first what was written before the record; null once the record has waited for its whole time. */
  #pauseForOthers(
    tenant: CatalogTenant,
    { command, progress, consumedUpToMs }: ReferenceLane,
    prepared: PreparedReference,
    isAwaiting: boolean,
  ) {
    const isRefused = REFUSALS_FOR_OTHERS.some((code) => isRefusedFor(prepared, code));
    if (command === null || progress !== null || !(isAwaiting || isRefused)) return null;
    const nowMs = this.clock.now();
    const ms = othersPauseMs(command, { nowMs, referencesMs: tenant.referencesMs, leastMs: this.unheldMs(tenant) });
    if (ms === null) return null;
    if (isAwaiting) return { kind: 'wait', progress: null, ms } as const;
    const untilMs = Date.parse(command.receivedAt);
    return hasConsumed(consumedUpToMs, untilMs) ? null : ({ kind: 'catch-up', progress: null, untilMs } as const);
  }

  async #around(tenant: string, fresh: readonly ReferenceLane[]): Promise<Around> {
    if (fresh.length === 0) return NOTHING_AROUND;
    const { kind } = this;
    const { isTree, isRemovable } = REFERENCE_RULES[kind];
    const mentioned = fresh.flatMap(({ lane, command }) =>
      mentionedReferences({ kind, value: command?.value ?? null, externalReference: lane.identity }),
    );
    return {
      stored: await this.references.load(this.database, tenant, kind, mentioned),
      parents: isTree ? await this.references.parents(this.database, tenant, mentioned) : NOTHING_AROUND.parents,
      inUse: isRemovable ? await this.references.inUse(this.database, tenant, kind, mentioned) : NOTHING_AROUND.inUse,
    };
  }
}

@Injectable()
export class BrandFlow extends ReferenceFlow {
  readonly kind = 'brand';

  routeOf({ progress }: Sending<ReferenceLane>): BatchRoute {
    return progress.route === 'delete' ? 'deleteBrands' : 'postBrands';
  }
}

@Injectable()
export class CategoryFlow extends ReferenceFlow {
  readonly kind = 'category';

  routeOf(): BatchRoute {
    return 'postCategories';
  }
}
