import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { type ValueKind, VALUES } from '@gondola/shared/topics/values';
import { highest } from '../records/read-record.ts';
import type { ValueFilling } from '../values/fill-value.ts';
import { isApplied, prepareValue } from '../values/prepare-value.ts';
import { NEW_VALUE_LANE, type ValueLaneState } from '../values/value-lane-state.ts';
import type { Judge } from './judge-records.ts';
import { type IsKnown, judgedBy, judgedValid } from './judged-record.ts';

/** Stored state that prices, warehouses or stock are judged by. */
export interface KnownValues {
  readonly kind: ValueKind;
  readonly language: Language;
  /** By lane. */
  readonly states: ReadonlyMap<string, ValueLaneState>;
  readonly fillingOf: (externalReference: string) => ValueFilling;
  readonly isKnown: IsKnown;
}

/** Judges prices, warehouses or stock as their lanes would. */
export function valueJudge({ kind, language, fillingOf, isKnown, ...known }: KnownValues): Judge {
  const states = new Map(known.states);
  return (record) => {
    const { externalReference, lane } = record;
    const state = states.get(lane) ?? NEW_VALUE_LANE;
    const prepared = prepareValue(record, state.sourceVersion, language, fillingOf(externalReference));
    const after = { ...state, sourceVersion: highest(state.sourceVersion, prepared.sourceVersion) };
    states.set(lane, after);
    if (prepared.kind === 'invalid') return judgedBy(prepared.conclusion);
    const { body, force } = prepared;
    const sku = VALUES[kind].isOfSku ? ([{ kind: 'sku', externalReference }] as const) : [];
    const judged = judgedValid(sku, isKnown);
    if (!force && isApplied(state, body)) return { ...judged, outcome: 'unchanged' };
    states.set(lane, { ...after, applied: body });
    return judged;
  };
}
