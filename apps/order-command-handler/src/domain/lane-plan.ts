import type { OrderView as OrderValues } from '@gondola/shared/order-event';
import type { FieldReason, Language, Reason } from '@gondola/shared/reason-codes';
import { reasonOf } from '@gondola/shared/reason-codes';
import type { CommandProgress, ReadPurpose } from './command-progress.ts';
import { type Correction, type UnconfirmedCommand, findCorrections } from './corrections.ts';
import { type CommandSettings, type Conclusion, type Decision, decideStatusCommand } from './decide-status-command.ts';
import type { CommandContent } from './read-command.ts';
import { partsOf } from './order-parts.ts';
import type { OrderState } from './order-state.ts';
import { type OrderNews, tellOrder } from './tell-order.ts';
import { type Told, confirmStatus } from './told.ts';

/** The oldest open command of an order, and how far it is. */
export interface HeadCommand {
  readonly content: CommandContent;
  readonly progress: CommandProgress;
  readonly deadlineInMs: number | null;
}

/** All that one step of an order's lane looks at. */
export interface LaneSituation {
  readonly state: OrderState | null;
  /** The order's values by the newest notification; null while there is no state. */
  readonly values: OrderValues | null;
  readonly told: Told;
  /** Commands that ended `unconfirmed` and were not corrected yet. */
  readonly unconfirmed: readonly UnconfirmedCommand[];
  readonly head: HeadCommand | null;
  readonly nowMs: number;
  readonly isLagging: boolean;
  readonly language: Language;
}

/** How the oldest command ends. */
export interface CommandEnd {
  readonly conclusion: Omit<Conclusion, 'reason'>;
  readonly reason: Reason | null;
  readonly errors: readonly FieldReason[];
  /** The last revision told when it ended; null for none. */
  readonly revision: number | null;
}

/** A call to the platform that the step makes after nothing is left to be saved. */
export type PlatformCall =
  | { readonly kind: 'send'; readonly target: number }
  | { readonly kind: 'read'; readonly purpose: ReadPurpose };

/** What one step does: saves (`news`, `end`, `corrections`, `told`), or else calls, or else sleeps. */
export interface LanePlan {
  readonly told: Told;
  readonly news: readonly OrderNews[];
  readonly end: CommandEnd | null;
  /** Late outcomes of commands that ended before. */
  readonly corrections: readonly Correction[];
  readonly call: PlatformCall | null;
  /** When the lane is due again without being woken; null: only a fact or a command wakes it. */
  readonly dueInMs: number | null;
}

/**
 * One step of an order's lane (mechanism 2): fold, judge the oldest command, tell the difference.
 *
 * An outcome and the events of one step are saved together. The status that a command set counts as told before the difference is taken
 * (rule 10), so that the event of a later status names it as the one before.
 */
export function planLane(situation: LaneSituation, settings: CommandSettings): LanePlan {
  const { state, values, head } = situation;
  const corrections = findCorrections(state, situation.unconfirmed);
  const told = corrections.reduce(confirm, situation.told);
  const decision = head === null ? null : decide(head, situation, settings);
  const conclusion = decision?.kind === 'conclude' ? decision.conclusion : null;
  const confirmed = conclusion === null ? told : confirm(told, conclusion);
  const telling =
    state === null || values === null ? { told: confirmed, news: [] } : tellOrder(state, confirmed, partsOf(values));
  // What an own command set was told before the events of this step; any other end is told after them.
  const seen = conclusion?.outcome === 'applied' ? confirmed : telling.told;
  const end = conclusion === null || head === null ? null : endOf(conclusion, head, seen, situation.language);
  const isSaving = telling.news.length > 0 || end !== null || corrections.length > 0;
  return {
    ...telling,
    end,
    corrections,
    call: isSaving || head === null ? null : callOf(decision, head),
    dueInMs: isSaving && head !== null ? 0 : dueInMs(decision),
  };
}

function confirm(told: Told, { setsStatus }: Pick<Conclusion, 'setsStatus'>): Told {
  return setsStatus === null ? told : confirmStatus(told, setsStatus);
}

function decide(
  { content, progress, deadlineInMs }: HeadCommand,
  situation: LaneSituation,
  settings: CommandSettings,
): Decision {
  if (content.kind === 'invalid') {
    const conclusion: Conclusion = {
      outcome: 'invalid',
      evidence: 'none',
      reason: null,
      platform: null,
      setsStatus: null,
    };
    return { kind: 'conclude', conclusion };
  }
  const { state, nowMs, isLagging } = situation;
  return decideStatusCommand({ state, target: content.target, progress, deadlineInMs, nowMs, isLagging }, settings);
}

function endOf(conclusion: Conclusion, { content }: HeadCommand, told: Told, language: Language): CommandEnd {
  const { reason, ...rest } = conclusion;
  const revision = told.revision === 0 ? null : told.revision;
  if (content.kind === 'invalid') return { conclusion: rest, reason: content.reason, errors: content.errors, revision };
  return {
    conclusion: rest,
    reason: reason === null ? null : reasonOf(reason.code, language, reason),
    errors: [],
    revision,
  };
}

function callOf(decision: Decision | null, { content }: HeadCommand): PlatformCall | null {
  if (decision?.kind === 'read') return decision;
  return decision?.kind === 'send' && content.kind === 'set-status' ? { kind: 'send', target: content.target } : null;
}

function dueInMs(decision: Decision | null): number | null {
  return decision?.kind === 'wait' ? decision.ms : null;
}
