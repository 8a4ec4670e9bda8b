import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { Inject, Injectable } from '@nestjs/common';
import { headOf, isResend } from '../records/resend.ts';
import { type Waiting, waitingFromText } from '../waiting/awaiting.ts';

/** A claimed lane with its oldest open record; null for none. */
export interface LaneHead {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand | null;
  /** The wait in the record's last `waiting` result. */
  readonly waiting: Waiting | null;
  /**
   * Open records of the lane, oldest first, if its oldest one waits for references: one that need not wait may pass it.
   * Else empty.
   */
  readonly line: readonly OpenCommand[];
  /**
   * Time up to which notifications are stored, in milliseconds since 1970; null while unknown. Known before the
   * reports are loaded, so that these include all notifications before that time.
   */
  readonly consumedUpToMs: number | null;
}

/** The records that lanes work on, for kinds whose records run one at a time. */
@Injectable()
export class LaneHeads {
  constructor(
    private readonly commands: Commands,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo'>,
  ) {}

  async of(db: Queryable, lanes: readonly ClaimedLane[]): Promise<LaneHead[]> {
    const ids = lanes.map(({ id }) => id);
    const consumedUpToMs = this.consumed.upTo();
    const heads = Map.groupBy(await this.commands.heads(db, ids), ({ laneId }) => laneId);
    const first = new Map(lanes.map(({ id }) => [id, headOf(heads.get(id) ?? [])]));
    const held = lanes.filter(({ id }) => waitingFromText(first.get(id)?.progress ?? null) !== null);
    const lines = held.length === 0 ? new Map<string, OpenCommand[]>() : await this.#lines(db, held);
    return lanes.map((lane) => {
      const line = lines.get(lane.id) ?? [];
      const command = line.find(isSent) ?? first.get(lane.id) ?? null;
      return { lane, command, waiting: waitingFromText(command?.progress ?? null), line, consumedUpToMs };
    });
  }

  async #lines(db: Queryable, lanes: readonly ClaimedLane[]): Promise<Map<string, OpenCommand[]>> {
    const ids = lanes.map(({ id }) => id);
    const open = await this.commands.openOf(db, ids, MAX_LINE);
    return new Map([...open].map(([id, commands]) => [id, commands.filter((command) => !isResend(command))]));
  }
}

/** Records behind a waiting one that are looked at; the others follow once these have ended. */
const MAX_LINE = 50;

/** Only one change of an entity is under way at a time. */
function isSent({ firstSentAt }: OpenCommand): boolean {
  return firstSentAt !== null;
}
