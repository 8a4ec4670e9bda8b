import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { FoundUploads, Held } from './held-content.ts';
import type { LaneWork } from '../lanes/command-turn.service.ts';
import type { UploadsRepository } from './uploads.repository.ts';

export interface HoldUploadsParts {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly uploads: UploadsRepository;
}

/** How a command's content is judged, and what is written down of it. */
export interface ContentRules<T> {
  readonly uploadIds: readonly string[];
  readonly judge: (found: FoundUploads) => Held<T>;
  readonly idsOf: (content: T) => readonly string[];
  readonly progressText: (content: T) => string;
}

/**
 * Judges a command's uploads and, if all are good, holds them until the command ends: their date may pass while it
 * waits, and what was found good must be there when it is sent. What is held is written down in the same transaction.
 * Null: the lane is another worker's by now.
 */
export async function holdUploads<T>(
  { lanes, commands, uploads }: HoldUploadsParts,
  { lane, command }: LaneWork,
  { uploadIds, judge, idsOf, progressText }: ContentRules<T>,
): Promise<Held<T> | null> {
  return lanes.checkpoint([lane], async (tx, held) => {
    if (held.length === 0) return null;
    const judged = judge(await uploads.lock(tx, lane.tenant, uploadIds));
    if (judged.kind === 'invalid') return judged;
    await uploads.hold(tx, idsOf(judged.content));
    await commands.save(tx, [{ id: command.id, progress: progressText(judged.content) }]);
    return judged;
  });
}
