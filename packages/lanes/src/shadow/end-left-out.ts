import { Inject, Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';

import { cameAtOf } from '../commands/came-at.ts';
import { type LaneKey, Lanes, laneText } from '../lanes/lanes.ts';
import { LaneWorkers } from '../lanes/lane-workers.ts';
import { ShadowModes } from '../modes/shadow-modes.ts';

const EVERY_MS = 5_000;
const AT_ONCE = 1_000;

/** $1 tenant, $2 id of the page before, $3 at most. */
const AWAITED = `
  SELECT c.id::text, l.tenant, l.kind, l.identity, c.received_at AS "receivedAt", c.produced_at AS "producedAt"
  FROM commands AS c JOIN lanes AS l ON l.id = c.lane_id
  WHERE c.state = 'open' AND c.tenant = $1 AND c.deadline_at > now() AND c.id > $2 ORDER BY c.id LIMIT $3`;

const END = `UPDATE commands SET deadline_at = now() WHERE id = ANY ($1::bigint[]) AND state = 'open'`;

type Row = LaneKey & { id: string; receivedAt: Date; producedAt: Date | null };

/**
 * Once a tenant is live, nothing waits any more for the outcome of what it left out: the later commands of an order
 * would wait behind it, for the whole of its deadline.
 */
@Injectable()
export class EndLeftOut extends RepeatingTask {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly modes: ShadowModes,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'wake'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'end of what was left out', everyMs: EVERY_MS, run: () => this.run(), logger });
  }

  async run(): Promise<void> {
    await this.modes.ready();
    for (const tenant of this.modes.tenants) if (this.modes.of(tenant, null) === 'live') await this.#end(tenant);
  }

  async #end(tenant: string): Promise<void> {
    for (let after = '0'; ;) {
      const { rows } = await this.database.query<Row>(AWAITED, [tenant, after, AT_ONCE]);
      const leftOut = rows.filter((row) => this.modes.of(tenant, cameAt(row)) === 'shadow');
      if (leftOut.length > 0) {
        await this.database.transaction(async (tx) => {
          await this.lanes.wake(tx, [...new Map(leftOut.map((row) => [laneText(row), row])).values()]);
          await tx.query(END, [leftOut.map(({ id }) => id)]);
        });
        this.workers.wake();
      }
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)!.id;
    }
  }
}

function cameAt({ receivedAt, producedAt }: Row): number {
  return cameAtOf({ receivedAt: receivedAt.toISOString(), producedAt: producedAt?.toISOString() ?? null });
}
