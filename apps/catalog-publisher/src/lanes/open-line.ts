import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { awaitedBy, bothOver, overtakenFromText, overtakenToText } from '../waiting/overtaking.ts';
import { waitingFromText } from '../waiting/awaiting.ts';
import { type CatalogLane, type Planned, saves } from './catalog-flow.ts';
import type { LaneHead } from './lane-heads.service.ts';

/** A lane whose records may pass each other. */
type LineLane = CatalogLane & LaneHead & { readonly end: object | null };

/**
 * A lane once for each record that its step may be about, oldest first: all if the oldest waits and none is sent, else
 * that of the step.
 */
export function openLine<S extends LineLane>(state: S, progressOf: (text: string | null) => S['progress']): S[] {
  const { command, line } = state;
  const others = (id: string | undefined) =>
    awaitedBy(line.filter((each) => each.id !== id).map(({ progress }) => progress));
  if (command === null || command.firstSentAt !== null || line.length < 2) {
    return [{ ...state, ...(line.length > 0 && { alsoAwaited: others(command?.id) }) }];
  }
  return line.map((own) => ({
    ...state,
    command: own,
    progress: progressOf(own.progress),
    waiting: waitingFromText(own.progress),
    alsoAwaited: others(own.id),
  }));
}

/**
 * A step that ends a record which has passed others: what it set is laid over these.
 *
 * @param setBy content that the ended record set; null for none
 */
export function withOverlay<S extends LineLane>(
  planned: Planned<S>,
  setBy: (state: S, end: NonNullable<S['end']>) => JsonRecord | null,
): Planned<S> {
  if (planned.kind !== 'save') return planned;
  const { state, dueInMs } = planned;
  const { command, line, end } = state;
  const at = line.findIndex(({ id }) => id === command?.id);
  const passed = at < 0 ? [] : line.slice(0, at);
  const set = command === null || end === null || passed.length === 0 ? null : setBy(state, end);
  if (set === null) return planned;
  const overlaid = passed.map((each) => {
    const { waiting, over } = overtakenFromText(each.progress);
    const progress = overtakenToText({ waiting, over: bothOver(over, set) });
    return { command: each, outcome: { kind: 'wait', progress } as const };
  });
  return { ...saves(state, [...planned.commands, ...overlaid], dueInMs), isAnomaly: planned.isAnomaly === true };
}
