import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { Clock } from '@gondola/service-kit/run/clock';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Result } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { FamilyEntities, Outgoing, SavedLane } from '../lanes/catalog-family.service.ts';
import type { ValueLane } from './load-values.service.ts';
import type { ValueEnd } from './plan-values.ts';
import {
  afterCorrection,
  afterValue,
  type SettledValue,
  type ValueLaneState,
  type ValueProgress,
} from './value-lane-state.ts';
import { ValueLanesRepository } from './value-lanes.repository.ts';

/** Saves the state of prices, warehouses and stock. */
@Injectable()
export class SaveValues implements FamilyEntities<ValueLane, ValueProgress, never> {
  constructor(
    private readonly valueLanes: ValueLanesRepository,
    private readonly clock: Clock,
  ) {}

  /** Grants every claim: values share nothing with other lanes. */
  async claim(
    _tx: Tx,
    _tenant: CatalogTenant,
    outgoing: readonly Outgoing<ValueLane, ValueProgress>[],
  ): Promise<readonly Outgoing<ValueLane, ValueProgress>[]> {
    return outgoing;
  }

  unclaimedMs(): number {
    return 0;
  }

  async save(
    tx: Tx,
    _tenant: CatalogTenant,
    saved: readonly SavedLane<ValueLane, ValueProgress, never>[],
  ): Promise<OutRecord[]> {
    const at = new Date(this.clock.now()).toISOString();
    const states = saved.flatMap(({ work, results }) => {
      const state = stateAfter(work, results, at);
      return state === work.state ? [] : [{ lane: work.lane, state }];
    });
    await this.valueLanes.save(tx, states);
    return [];
  }
}

/** The state of a lane after its step; the same object if unchanged. */
function stateAfter(
  { state, corrections, plan, open }: ValueLane,
  results: ReadonlyMap<string, Result>,
  at: string,
): ValueLaneState {
  const corrected = corrections.reduce(
    (before, { record, concluded: { effect } }) => afterCorrection(before, record, { effect, at }),
    state,
  );
  return plan.ends.reduce((before, end) => {
    const result = results.get(end.id);
    if (result === undefined) return before;
    return afterValue(before, { ...end, settled: settledValue(end, open, result), at });
  }, corrected);
}

/** The record, if a late report may still correct its outcome; else null. */
function settledValue(
  { id, progress, operationIds }: ValueEnd,
  open: ValueLane['open'],
  { id: resultId, outcome, evidence }: Result,
): SettledValue | null {
  const command = open.find((each) => each.id === id);
  const isOpen = outcome === 'unconfirmed' || (outcome === 'applied' && evidence === 'presumed');
  if (!isOpen || progress === null || command === undefined) return null;
  const { commandId, command: op, receivedAt, attempts, traceparent } = command;
  return { commandId, command: op, outcome, resultId, progress, operationIds, receivedAt, attempts, traceparent };
}
