import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { ChangeAnswer } from './file-platform.ts';
import type { LaneWork } from './file-lane.ts';

export interface SendFileParts {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly deadlineMs: number;
}

/**
 * Writes a sending down, with its progress and the start of the deadline, and only then makes the call (rule 15). Null:
 * the lane is another worker's by now, and nothing was sent.
 */
export async function sendFile(
  { lanes, commands, deadlineMs }: SendFileParts,
  { lane, command }: LaneWork,
  progressText: string,
  call: () => Promise<ChangeAnswer>,
): Promise<ChangeAnswer | null> {
  const isHeld = await lanes.checkpoint([lane], async (tx, held) => {
    if (held.length === 0) return false;
    await commands.markSending(tx, [command.id], deadlineMs);
    await commands.saveProgress(tx, command.id, progressText);
    return true;
  });
  return isHeld ? call() : null;
}

/** A command after one more sending, as the next load would give it. */
export function afterSending(work: LaneWork, deadlineMs: number): LaneWork {
  const { command } = work;
  const deadlineInMs = command.deadlineInMs ?? deadlineMs;
  return { ...work, command: { ...command, attempts: command.attempts + 1, deadlineInMs } };
}
