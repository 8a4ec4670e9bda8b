import { Injectable } from '@nestjs/common';

import type { Tx } from '@gondola/service-kit/database/database';

import { type ClaimedLane, Lanes } from '../lanes/lanes.ts';
import { Commands, type OpenCommand } from './commands.ts';

/** A command that is about to be sent to the platform. */
export interface Attempted {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
  /** Progress as JSON text, with this attempt in it. */
  readonly progress: string;
}

export interface AttemptOptions<A extends Attempted> {
  /** Time limit from the first attempt until the command ends without an outcome, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Runs in the transaction that stores the attempts, with their lanes locked, and returns the attempts that may be
   * made. It leaves out an attempt that a newer fact makes wrong, or that lacks a resource; the lane's next step
   * decides again.
   */
  readonly guard?: (tx: Tx, attempted: readonly A[]) => Promise<readonly A[]>;
}

/**
 * A call that changes something at the platform (rules 15, 16):
 *
 *   store the attempt ──▶ call ──▶ answered: store the answer
 *     │ lane lost, or         ├─ no answer: the attempt is stored, so the state is read before the next attempt
 *     │ refused by the guard  └─ cannot have arrived: the attempt is taken back (`StepOutcome.attempt`)
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
  ) {}

  /** Stores attempts in one statement. Returns those that were stored; the caller must then make these calls. */
  async writeDown<A extends Attempted>(
    attempted: readonly A[],
    { deadlineMs, guard }: AttemptOptions<A>,
  ): Promise<{ readonly written: readonly A[]; readonly heldBack: readonly A[] }> {
    const lanes = attempted.map(({ lane }) => lane);
    return this.lanes.checkpoint(lanes, async (tx, held) => {
      const ids = new Set(held.map(({ id }) => id));
      const mine = attempted.filter(({ lane }) => ids.has(lane.id));
      const written = guard === undefined || mine.length === 0 ? mine : await guard(tx, mine);
      await this.commands.save(
        tx,
        written.map(({ command, progress }) => ({ id: command.id, progress, attempt: { kind: 'made', deadlineMs } })),
      );
      const going = new Set(written);
      return { written, heldBack: mine.filter((each) => !going.has(each)) };
    });
  }

  /** Stores one attempt, then makes its call. Null if the attempt was not stored; then no call was made. */
  async make<T>(
    attempted: Attempted,
    options: AttemptOptions<Attempted>,
    call: () => Promise<T>,
  ): Promise<{ readonly answer: T } | null> {
    const { written } = await this.writeDown([attempted], options);
    return written.length === 0 ? null : { answer: await call() };
  }
}

/** The command after one more attempt, as the next load from the database would return it. */
export function afterAttempt(command: OpenCommand, progress: string, deadlineMs: number): OpenCommand {
  const deadlineInMs = command.deadlineInMs ?? deadlineMs;
  return { ...command, progress, attempts: command.attempts + 1, deadlineInMs };
}
