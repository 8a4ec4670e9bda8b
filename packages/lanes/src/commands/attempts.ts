import { Inject, Injectable } from '@nestjs/common';

import type { Tx } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import {
  type AttemptAnswer,
  type AttemptProgress,
  withAnswer,
  withoutLastAttempt,
} from '@gondola/shared/commands/attempts';

import { type ClaimedLane, Lanes, ofLanes } from '../lanes/lanes.ts';
import { type CommandChange, Commands, type OpenCommand } from './commands.ts';
import type { StepOutcome } from './step-outcome.ts';

/** A command that is about to be sent to the platform. */
export interface Attempted {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
  /** Progress with this attempt in it, without an answer yet. */
  readonly progress: AttemptProgress;
}

type Answered = Exclude<AttemptAnswer, { kind: 'pending' }>;

/** Answer to a call, or its absence; `unavailable`: nothing has reached the platform's queue. */
export type CallAnswer =
  | Answered
  | { readonly kind: 'unavailable'; readonly cause: string; readonly retryAfterMs: number };

export interface AttemptOptions<A extends Attempted> {
  /** Time limit from the first attempt until the command ends without an outcome, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Runs in the transaction that stores the attempts, with their lanes locked, and returns the attempts that may be
   * made. It leaves out an attempt that lacks a resource; the lane's next step decides again.
   */
  readonly guard?: (tx: Tx, attempted: readonly A[]) => Promise<readonly A[]>;
  /** Leaves out the attempts of lanes woken since their claim: a newer fact may make them wrong. Without `guard`. */
  readonly unlessWoken?: boolean;
  /** Makes the calls of stored attempts, of one or more commands each; returns each lane's answer by its id. */
  readonly call: (stored: readonly A[]) => Promise<ReadonlyMap<string, CallAnswer>>;
}

/** An attempt that was made. */
export type MadeAttempt<A extends Attempted> = { readonly attempted: A; readonly progress: A['progress'] } & (
  | { readonly kind: 'answered' }
  /** Nothing was sent; the next attempt may be made after `pauseMs`. */
  | { readonly kind: 'taken-back'; readonly pauseMs: number }
);

export interface Attempting<A extends Attempted> {
  readonly made: readonly MadeAttempt<A>[];
  /** Neither stored nor sent. */
  readonly heldBack: readonly A[];
}

/**
 * Calls that change something at the platform (rules 15, 16):
 *
 *   store the attempt ──▶ call ──▶ answered: the answer is in the progress, for the step to save
 *     │ lane lost, or         ├─ no answer: the attempt is stored, so the state is read before the next attempt
 *     │ refused by the guard  └─ cannot have arrived: the attempt is taken back, and the lane pauses
 *     ▼ no call is made
 *
 * Guarantees that an attempt and the start of its deadline are committed before its call, so that a crash at any
 * point leaves a trace. Tested in attempts.int.spec.ts and by the apps' suites that kill their workers around each
 * call.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    @Inject(Randomness) private readonly randomness: Pick<Randomness, 'fraction'>,
  ) {}

  /** Stores attempts in one statement, then makes their calls. Lanes that another worker took over are left out. */
  async make<A extends Attempted>(attempted: readonly A[], options: AttemptOptions<A>): Promise<Attempting<A>> {
    const { stored, heldBack } = await this.#store(attempted, options);
    if (stored.length === 0) return { made: [], heldBack };
    const answers = await options.call(stored);
    return { made: stored.map((each) => this.#made(each, answers.get(each.lane.id))), heldBack };
  }

  async #store<A extends Attempted>(
    attempted: readonly A[],
    { deadlineMs, guard, unlessWoken = false }: AttemptOptions<A>,
  ): Promise<{ readonly stored: readonly A[]; readonly heldBack: readonly A[] }> {
    const lanes = attempted.map(({ lane }) => lane);
    if (guard === undefined) {
      const beside = this.commands.besideLanes(changesOf(attempted, deadlineMs), { unlessWoken });
      const { held, woken } = await this.lanes.check(lanes, beside);
      const mine = ofLanes(attempted, held);
      const isHeldBack = ({ lane }: A): boolean => unlessWoken && woken.has(lane);
      return { stored: mine.filter((each) => !isHeldBack(each)), heldBack: mine.filter(isHeldBack) };
    }
    return this.lanes.checkpoint(lanes, async (tx, held) => {
      const mine = ofLanes(attempted, held);
      const stored = mine.length === 0 ? mine : await guard(tx, mine);
      await this.commands.save(tx, changesOf(stored, deadlineMs));
      const going = new Set(stored);
      return { stored, heldBack: mine.filter((each) => !going.has(each)) };
    });
  }

  /** Lengthens the pause by up to half, so that lanes whose calls failed together do not return together. */
  #made<A extends Attempted>(attempted: A, answer: CallAnswer | undefined): MadeAttempt<A> {
    if (answer === undefined) throw new Error('A stored attempt has no answer');
    const { progress }: { readonly progress: A['progress'] } = attempted;
    if (answer.kind !== 'unavailable') {
      return { kind: 'answered', attempted, progress: withAnswer(progress, toStore(answer)) };
    }
    const pauseMs = answer.retryAfterMs * (1 + this.randomness.fraction() / 2);
    return { kind: 'taken-back', attempted, progress: withoutLastAttempt(progress, answer.cause), pauseMs };
  }
}

function changesOf(attempted: readonly Attempted[], deadlineMs: number): CommandChange[] {
  return attempted.map(({ command: { id }, progress }) => {
    return { id, progress: JSON.stringify(progress), attempt: { kind: 'made', deadlineMs } };
  });
}

/** Without the text of a lost answer, which decides nothing and may repeat what was sent. */
function toStore(answer: Answered): Answered {
  if (answer.kind !== 'unknown') return answer;
  const { kind, cause, status, at } = answer;
  return { kind, cause, ...(status !== undefined && { status }), ...(at !== undefined && { at }) };
}

/** Outcome of a command's step that made an attempt: it stays open with the answer. */
export function afterCall({ kind, progress }: MadeAttempt<Attempted>): StepOutcome {
  const wait = { kind: 'wait', progress: JSON.stringify(progress) } as const;
  return kind === 'answered' ? wait : { ...wait, attempt: { kind: 'taken-back' } };
}

/** The command after one more attempt, as the next load from the database would return it. */
export function afterAttempt(command: OpenCommand, progress: string, deadlineMs: number): OpenCommand {
  const deadlineInMs = command.deadlineInMs ?? deadlineMs;
  return { ...command, progress, attempts: command.attempts + 1, deadlineInMs };
}
