import { Commands, type OpenCommand } from '@gondola/messaging/commands/commands';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Queryable } from '@gondola/messaging/store/queryable';
import { Inject, Injectable } from '@nestjs/common';
import { headOf } from '../records/resend.ts';
import { type Waiting, waitingFromText } from '../waiting/awaiting.ts';

/** A claimed lane with its oldest open record; null for none. */
export interface LaneHead {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand | null;
  /** The wait in the record's last `waiting` result. */
  readonly waiting: Waiting | null;
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
    return lanes.map((lane) => {
      const command = headOf(heads.get(lane.id) ?? []);
      return { lane, command, waiting: waitingFromText(command?.progress ?? null), consumedUpToMs };
    });
  }
}
