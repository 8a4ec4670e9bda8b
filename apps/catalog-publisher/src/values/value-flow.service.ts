import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { OpenCommand } from '@gondola/lanes/commands/commands';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { placeFromText } from '@gondola/shared/catalog/value-place';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { Result, ResultEntity } from '@gondola/shared/results/result';
import { VALUE_KINDS, type ValueKind, VALUES } from '@gondola/shared/topics/values';
import { Injectable } from '@nestjs/common';
import {
  announces,
  type CatalogFlow,
  type Planned,
  type Save,
  saves,
  type Sending,
  waits,
} from '../lanes/catalog-flow.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { CatalogMetrics } from '../lanes/catalog.metrics.ts';
import type { BatchRoute } from '@gondola/platform-client/routes';
import { referenceOf } from '../records/read-record.ts';
import { storedText } from '../records/stored-text.ts';
import { blockedToText } from '../waiting/awaiting.ts';
import { platformIdentity } from './judge-value.ts';
import { LoadValues, type ValueLane } from './load-values.service.ts';
import type { ValueEnd } from './plan-values.ts';
import {
  afterCorrection,
  afterValue,
  type SettledValue,
  type ValueLaneState,
  type ValueProgress,
  valueProgress,
} from './value-lane-state.ts';
import { ValueLanesRepository } from './value-lanes.repository.ts';

/**
 * Absolute values (rule 30): of several waiting values only the newest is sent, and a lane is free for the next one
 * once its call is answered. Their calls precede those of other kinds.
 */
class ValueFlow implements CatalogFlow<ValueLane> {
  readonly isUrgent = true;
  readonly awaited = null;
  readonly hold = null;
  readonly read = null;

  constructor(
    readonly kind: ValueKind,
    private readonly loadValues: LoadValues,
    private readonly valueLanes: ValueLanesRepository,
    private readonly metrics: CatalogMetrics,
    private readonly clock: Clock,
  ) {}

  async plan(tenant: CatalogTenant, lanes: readonly ClaimedLane[]): Promise<Planned<ValueLane>[]> {
    return (await this.loadValues.load(tenant, this.kind, lanes)).map(nextStep);
  }

  routeOf(): BatchRoute {
    return VALUES[this.kind].route;
  }

  itemText({ body }: ValueProgress): string {
    return stringifyWithDigits(body);
  }

  goesAlone({ body }: ValueProgress): boolean {
    return platformIdentity(this.kind, body) === null;
  }

  /** A warehouse's lane is named by the platform's id: its reference is that of the record. */
  entityOf(identity: string, record?: Pick<OpenCommand, 'value'>): ResultEntity {
    const place = placeFromText(identity);
    const own =
      record === undefined || this.kind !== 'warehouse' ? place.externalReference : referenceOf(record, place);
    return { kind: this.kind, ...place, externalReference: own };
  }

  seenReportId({ reports }: ValueLane): string {
    return reports.at(-1)?.id ?? '0';
  }

  blockedText({ command, progress, waiting }: ValueLane, cause: string): string {
    const isSent = (valueProgress(command?.progress ?? null)?.attempts.length ?? 0) > 0;
    return isSent && progress !== null ? storedText({ ...progress, blocked: cause }) : blockedToText(waiting, cause);
  }

  unheldMs(): number {
    return 0;
  }

  /** Zero without an acceptance: the lane is free for the next value. */
  lookInMs({ settings }: CatalogTenant, { command, progress }: Sending<ValueLane>): number {
    if (progress.attempts.at(-1)?.answer.kind !== 'accepted') return 0;
    this.metrics.accepted(this.kind, this.clock.now() - Date.parse(command.producedAt ?? command.receivedAt));
    return settings.settleMs;
  }

  async save(tx: Tx, _tenant: CatalogTenant, saved: readonly SavedStep<Save<ValueLane>>[]): Promise<OutRecord[]> {
    const at = new Date(this.clock.now()).toISOString();
    const states = saved.flatMap(({ step, concluded }) => {
      const state = stateAfter(step.state, concluded, at);
      return state === null ? [] : [{ lane: step.lane, state }];
    });
    await this.valueLanes.save(tx, states);
    return [];
  }
}

/** Values that end are saved before the newest one is sent: a step saves or calls, never both. */
function nextStep(state: ValueLane): Planned<ValueLane> {
  const { plan, open, progress, command } = state;
  const { ends, head } = plan;
  if (ends.length > 0 || state.corrections.length > 0) {
    const commandOf = new Map(open.map((each) => [each.id, each]));
    const ended = ends.map(({ id, conclusion, operationIds }) => ({
      command: commandOf.get(id)!,
      outcome: { kind: 'concluded', conclusion, operationIds } as const,
    }));
    return saves(state, ended, head === null ? null : 0);
  }
  if (head === null) return saves(state, [], null);
  if (head.next.kind === 'announce') return announces(state, head.next.waiting);
  if (head.next.kind === 'wait') return waits(state, null, head.next.ms);
  if (progress === null || command === null) throw new Error('The plan of a lane sends a value that is not open');
  return { kind: 'send', state: { ...state, progress, command } };
}

/** The state of a lane after its step; null if unchanged. */
function stateAfter(
  { state, corrections, plan, open }: ValueLane,
  results: ReadonlyMap<string, Result>,
  at: string,
): ValueLaneState | null {
  const ended = plan.ends.flatMap((end) => {
    const result = results.get(end.id);
    return result === undefined ? [] : [{ end, result }];
  });
  if (corrections.length === 0 && ended.length === 0) return null;
  const corrected = corrections.reduce(
    (before, { record, concluded: { effect } }) => afterCorrection(before, record, { effect, at }),
    state,
  );
  return ended.reduce(
    (before, { end, result }) => afterValue(before, { ...end, settled: settledValue(end, open, result), at }),
    corrected,
  );
}

/** The record, if a late report may still correct its outcome; else null. */
function settledValue(
  { id, progress, operationIds }: ValueEnd,
  open: ValueLane['open'],
  { id: resultId, outcome, evidence, entity }: Result,
): SettledValue | null {
  const command = open.find((each) => each.id === id);
  const isOpen = outcome === 'unconfirmed' || (outcome === 'applied' && evidence === 'presumed');
  if (!isOpen || progress === null || command === undefined) return null;
  const { commandId, command: op, receivedAt, attempts, traceparent } = command;
  const about = { commandId, command: op, receivedAt, attempts, traceparent, ...(entity !== null && { entity }) };
  return { ...about, outcome, resultId, progress, operationIds };
}

/** A flow for each kind of value. */
@Injectable()
export class ValueFlows {
  readonly all: readonly CatalogFlow<ValueLane>[];

  constructor(loadValues: LoadValues, valueLanes: ValueLanesRepository, metrics: CatalogMetrics, clock: Clock) {
    this.all = VALUE_KINDS.map((kind) => new ValueFlow(kind, loadValues, valueLanes, metrics, clock));
  }
}
