import type { OrderWatch, OpenSteps } from '../orders/order-row.ts';
import { nextReadingInMs, watchLane } from './order-watch.ts';
import type { Change } from '../platform/order-calls.ts';
import { lastCallAt, type PayloadPurpose, type ReadPurpose } from '../commands/command-progress.ts';
import { type Correction, findCorrections } from '../commands/corrections.ts';
import { type CommandSettings, type CommandTurn, type Decision, type OrderConclusion } from '../commands/decision.ts';
import { decideUnreadable } from '../commands/unreadable-command.ts';
import { type HeadCommand, type LaneSituation, type StepMoment, turnOf } from './lane-situation.ts';
import { partsOf, type PublishedState, confirmStatus } from '../orders/published-state.ts';
import type { PendingEvent } from '../orders/order-event.ts';
import { type EventPlan, planEvents, type OwnCommands } from '../orders/plan-events.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';
import { isReturn } from '@gondola/shared/orders/order-statuses';
import { awaitedSkus } from '../skus/match-skus.ts';
import type { PdfRequest } from '../pdf-results/pdf-request.ts';
import type { OrderTenant } from './order-tenants.service.ts';
import { releaseFact } from '../facts/release.ts';
import { type ConcludedCommand, concludedCommand, withdrawnBy } from './concluded-command.ts';

/** A call for a command, made by a step that has nothing to save. */
type CommandCall = { readonly commandId: string } & (
  | { readonly kind: 'send'; readonly change: Change }
  | { readonly kind: 'read'; readonly purpose: ReadPurpose }
  | { readonly kind: 'read-payload'; readonly purpose: PayloadPurpose }
);

export type PlatformCall =
  | CommandCall
  /** A read for no command: a notification of the order may have been lost. */
  | { readonly kind: 'watch'; readonly watch: OrderWatch };

/**
 * Plan of one step: it saves (`events`, `concluded`, `corrections`, `pdf`, `release`,
 * `published`), or calls, or waits.
 */
export interface LanePlan {
  readonly published: PublishedState;
  readonly events: readonly PendingEvent[];
  readonly concluded: readonly ConcludedCommand[];
  /** Late outcomes of `unconfirmed` commands. */
  readonly corrections: readonly Correction[];
  readonly pdf: PdfRequest | null;
  /** A release, stored as a fact (rule 8). */
  readonly release: OrderFact | null;
  readonly watch: OrderWatch | null;
  readonly openSteps: OpenSteps;
  /** Calls of which the step makes one, in the order of their turns. */
  readonly calls: readonly PlatformCall[];
  /** Milliseconds until the lane is due again; null: only a fact or a command wakes it. */
  readonly dueInMs: number | null;
}

/** A head of a queue with the decision about it. */
interface DecidedCommand {
  readonly head: HeadCommand;
  readonly decision: Decision;
}

interface Ending {
  readonly head: HeadCommand;
  readonly conclusion: OrderConclusion;
}

/**
 * Plans one step of an order's lane (mechanism 2): folds the facts, decides the commands at the head of
 * each queue, and publishes the difference.
 *
 * Outcomes and the events of one step are saved together. The status that a command set counts as published before
 * the difference is taken (rule 10), so that the event of a later status names it as the one before.
 */
export function planLane(
  situation: LaneSituation,
  moment: StepMoment,
  { language, settings }: Pick<OrderTenant, 'language' | 'settings'>,
): LanePlan {
  const { values, heads, row } = situation;
  const turn = (head: HeadCommand): CommandTurn => turnOf(head, situation, moment);
  const corrections = findCorrections(situation.state, row.unconfirmed);
  const decided = withoutWithdrawn(heads.map((head) => ({ head, decision: decide(head, turn(head), settings) })));
  const ending = decided.flatMap(({ head, decision }) =>
    decision.kind === 'conclude' ? [{ head, conclusion: decision.conclusion }] : [],
  );
  const release = releaseOf(ending);
  const state = release === null ? situation.state : foldFacts([...(situation.state?.facts ?? []), release]);
  const afterResults = ending.reduce(
    (before, { conclusion: { setsStatus } }) => confirmStatus(before, setsStatus, state),
    row.published,
  );
  const published = corrections.reduce(
    (before, { setsStatus }) => (isSetBack(before, setsStatus) ? before : confirmStatus(before, setsStatus, state)),
    afterResults,
  );
  const open = decided.filter(({ decision }) => decision.kind !== 'conclude').map(({ head }) => head);
  const outcomes = decided.map(({ head, decision }) => ({
    head,
    outcome: decision.kind === 'conclude' ? decision.conclusion.outcome : null,
  }));
  const { watch, openSteps, attention, nextInMs } = watchLane(
    situation,
    moment,
    state,
    published,
    outcomes,
    settings.limits,
  );
  const planned =
    state === null || values === null
      ? { published, events: [] }
      : planEvents(state, published, partsOf(values), {
          own: ownCommands(situation, open, turn),
          attention,
          awaitedSkus: () => awaitedSkus(values, situation.skus),
        });
  const concluded = ending.flatMap(({ head, conclusion }) => {
    // The result of a command that set a status precedes the events of this step; other results follow them.
    const seen = conclusion.outcome === 'applied' && conclusion.setsStatus !== null ? published : planned.published;
    return [...withdrawnBy(conclusion, seen), concludedCommand(conclusion, head, seen, language)];
  });
  const pdf = decided.map(pdfOf).find((request) => request !== null) ?? null;
  const readInMs = watch === null ? null : nextReadingInMs(watch, moment.nowMs, settings.watch);
  const isSaving = planned.events.length > 0 || concluded.length > 0 || corrections.length > 0 || pdf !== null;
  return {
    ...planned,
    concluded,
    corrections,
    pdf,
    release,
    watch,
    openSteps,
    calls: isSaving
      ? []
      : [...inTurns(decided).flatMap((each) => callOf(each, turn(each.head), settings)), ...watchCall(watch, readInMs)],
    dueInMs: isSaving && (heads.length > 0 || isNewlyAwaiting(planned)) ? 0 : soonest(decided, [readInMs, nextInMs]),
  };
}

/** A call that is carried out late sets the order back: its ERP has gone on, and hears of it by an event. */
function isSetBack({ status }: PublishedState, late: number | null): boolean {
  return status !== null && late !== null && isReturn(status, late);
}

function decide({ judged }: HeadCommand, turn: CommandTurn, settings: CommandSettings): Decision {
  if (judged.kind === 'invalid') return decideUnreadable(turn, settings);
  return judged.definition.decide(judged.asked, turn, settings);
}

/** A SKU may have become known while the order was published without it: the wait is stored first, then checked. */
function isNewlyAwaiting({ published, events }: EventPlan): boolean {
  return published.awaitedSkus.length > 0 && events.length > 0;
}

/** Commands without those that another one withdraws. */
function withoutWithdrawn(decided: readonly DecidedCommand[]): readonly DecidedCommand[] {
  const withdrawn = new Set(
    decided.flatMap(({ decision }) => {
      const effect = decision.kind === 'conclude' ? decision.conclusion.effect : undefined;
      return effect?.kind === 'withdraw' ? [effect.commandId] : [];
    }),
  );
  return decided.filter(({ head }) => !withdrawn.has(head.commandId));
}

function releaseOf(ending: readonly Ending[]): OrderFact | null {
  const releasing = ending.find(({ conclusion }) => conclusion.effect?.kind === 'release');
  return releasing === undefined ? null : releaseFact(releasing.head.traceparent);
}

function pdfOf({ head: { commandId }, decision }: DecidedCommand): PdfRequest | null {
  if (decision.kind === 'check-pdf') return { commandId, orderId: null, content: decision.content };
  if (decision.kind !== 'ask-pdf') return null;
  const { orderId, content } = decision;
  return { commandId, orderId, content };
}

/** A call that always fails must not take every turn of its order (rule 19). */
function inTurns(decided: readonly DecidedCommand[]): readonly DecidedCommand[] {
  const at = ({ head }: DecidedCommand) => lastCallAt(head.progress);
  return decided.toSorted((one, other) => (at(one) < at(other) ? -1 : Number(at(one) > at(other))));
}

function callOf(
  { head, decision }: DecidedCommand,
  turn: CommandTurn,
  settings: CommandSettings,
): readonly CommandCall[] {
  const { commandId } = head;
  if (decision.kind === 'read' || decision.kind === 'read-payload') return [{ commandId, ...decision }];
  if (decision.kind !== 'send' || head.judged.kind === 'invalid') return [];
  const { definition, asked } = head.judged;
  if (definition.change === null) throw new Error('A command that changes nothing cannot be sent');
  return [{ commandId, kind: 'send', change: definition.change(asked, decision.step, turn, settings) }];
}

function watchCall(watch: OrderWatch | null, readInMs: number | null): readonly PlatformCall[] {
  return watch !== null && readInMs !== null && readInMs <= 0 ? [{ kind: 'watch', watch }] : [];
}

function soonest(decided: readonly DecidedCommand[], ofTheWatch: ReadonlyArray<number | null>): number | null {
  const waits = decided.flatMap(({ decision }) => (decision.kind === 'wait' ? (decision.ms ?? []) : []));
  const all = [...waits, ...ofTheWatch.flatMap((inMs) => (inMs === null ? [] : Math.max(inMs, 0)))];
  return all.length === 0 ? null : Math.min(...all);
}

/**
 * Relates the order's commands to its facts (rule 10): an event names the command that caused its fact; a status that
 * a still `open` command has reached waits for that command's result.
 */
function ownCommands(
  { heads, row: { unconfirmed } }: LaneSituation,
  open: readonly HeadCommand[],
  turn: (head: HeadCommand) => CommandTurn,
): OwnCommands {
  const held = open.map((head) => heldStatus(head, turn(head))).find((status) => status !== null);
  return {
    heldStatus: held ?? null,
    commandOf: (fact) =>
      heads.find((head) => isCauseOf(head, fact, turn(head)))?.commandId ??
      unconfirmed.find(({ operationIds }) => fact.operationId !== null && operationIds.includes(fact.operationId))
        ?.commandId ??
      null,
  };
}

function heldStatus({ judged }: HeadCommand, turn: CommandTurn): number | null {
  if (judged.kind === 'invalid') return null;
  const { publishedBy } = judged.definition;
  return publishedBy.kind === 'result' ? publishedBy.heldStatus(turn) : null;
}

function isCauseOf({ judged }: HeadCommand, fact: OrderFact, turn: CommandTurn): boolean {
  if (judged.kind === 'invalid') return false;
  const { publishedBy } = judged.definition;
  return publishedBy.kind === 'event' && publishedBy.isCauseOf(judged.asked, turn, fact);
}
