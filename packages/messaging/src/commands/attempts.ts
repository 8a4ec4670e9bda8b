import { Injectable } from '@nestjs/common';

import type { Tx } from '@gondola/service-kit/database/database';

import { type ClaimedLane, Lanes } from '../lanes/lanes.ts';
import { Commands, type OpenCommand } from './commands.ts';

/** A command that is about to be sent. */
export interface Attempted {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
  /** JSON text, with the attempt in it. */
  readonly progress: string;
}

export interface AttemptOptions<A extends Attempted> {
  /** From the first attempt to the end without an outcome. */
  readonly deadlineMs: number;
  /**
   * Runs in the transaction that writes the attempts down, with their lanes locked, and returns those that may go. An
   * attempt that a newer fact makes wrong, or that lacks a resource of its own, stays out; the next step decides anew.
   */
  readonly guard?: (tx: Tx, attempted: readonly A[]) => Promise<readonly A[]>;
}

/**
 * A call that changes something at the platform (rules 15, 16):
 *
 *   write the attempt down ──▶ call ──▶ answered: store the answer
 *     │ lane lost, or held back        ├─ no answer: found written down, the state is read before trying again
 *     ▼ nothing is sent                └─ cannot have arrived: the attempt is taken back (`StepOutcome.attempt`)
 *
 * Gives: what is sent was committed before, with the start of its deadline, so that a crash at any point is found.
 * Tested in attempts.int.spec.ts and by the apps' suites that kill their workers around each call.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly lanes: Lanes,
    private readonly commands: Commands,
  ) {}

  /** Writes attempts down, all in one statement. Returns those that may be sent, and must be. */
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

  /** One attempt: written down, then called. Null: it was not written down, and nothing was sent. */
  async make<T>(
    attempted: Attempted,
    options: AttemptOptions<Attempted>,
    call: () => Promise<T>,
  ): Promise<{ readonly answer: T } | null> {
    const { written } = await this.writeDown([attempted], options);
    return written.length === 0 ? null : { answer: await call() };
  }
}

/** A command after one more attempt, as the next load would give it. */
export function afterAttempt(command: OpenCommand, progress: string, deadlineMs: number): OpenCommand {
  const deadlineInMs = command.deadlineInMs ?? deadlineMs;
  return { ...command, progress, attempts: command.attempts + 1, deadlineInMs };
}
