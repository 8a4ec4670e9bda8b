import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import { type ClaimedLane, Lanes } from '@gondola/lanes/lanes/lanes';
import { Injectable } from '@nestjs/common';
import type { FoundUploads, Hold } from './held-content.ts';
import { UploadsRepository } from './uploads.repository.ts';

/** Rules that judge a command's content, and the progress to store. */
export interface ContentRules<T> {
  readonly uploadIds: readonly string[];
  readonly judge: (found: FoundUploads) => Hold<T>;
  readonly idsOf: (content: T) => readonly string[];
  readonly progressText: (content: T) => string;
}

/** A command that is at work, and its lane. */
interface CommandAtWork {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
}

@Injectable()
export class HoldUploads {
  constructor(
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly uploads: UploadsRepository,
  ) {}

  /**
   * Judges a command's uploads and, if all are valid, holds them until the command is concluded: they may expire
   * while it waits, but must exist when they are sent. The hold and the command's progress are stored in one
   * transaction. Null: another worker holds the lane by now.
   */
  async hold<T>({ lane, command }: CommandAtWork, rules: ContentRules<T>): Promise<Hold<T> | null> {
    return this.lanes.checkpoint([lane], async (tx, held) => {
      if (held.length === 0) return null;
      const judged = rules.judge(await this.uploads.lock(tx, lane.tenant, rules.uploadIds));
      if (judged.kind === 'invalid') return judged;
      await this.uploads.hold(tx, rules.idsOf(judged.content));
      await this.commands.save(tx, [{ id: command.id, progress: rules.progressText(judged.content) }]);
      return judged;
    });
  }
}
