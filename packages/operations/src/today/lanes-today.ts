import { Inject, Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import { counted, MOST_COUNTED } from '@gondola/service-kit/http/counted.dto';

import { STUCK_LANES } from '@gondola/lanes/lanes/lanes.sql';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import type { RelayBacklog } from '@gondola/lanes/outbox/relay-source';
import type { PlatformPause } from '@gondola/lanes/pauses/pauses.dto';
import { PlatformPauses } from '@gondola/lanes/pauses/platform-pauses';
import { countGroups } from '@gondola/lanes/store/count-groups';
import { TodaySource } from './today.controller.ts';
import type { ReadyQueue, RefusedTopicToday, StuckLane } from './today.dto.ts';

const READY = {
  table: 'lanes',
  where: 'ready_at <= statement_timestamp()',
  by: ['tenant', 'kind'],
  time: 'ready_at',
};

const MOST_STUCK = 100;
const MOST_COMMANDS = 20;

/** Waiting work of an app with lanes. */
@Injectable()
export class LanesToday extends TodaySource {
  constructor(
    private readonly database: Database,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'source' | 'refusedTopics'>,
    @Inject(PlatformPauses) private readonly platform: Pick<PlatformPauses, 'list'>,
  ) {
    super();
  }

  async backlog(): Promise<RelayBacklog> {
    return this.relay.source.backlog(this.database);
  }

  override refused(now: number): readonly RefusedTopicToday[] {
    return this.relay.refusedTopics(now);
  }

  override async queues(tenant: string | null): Promise<readonly ReadyQueue[]> {
    const found = await countGroups(this.database, READY, tenant, MOST_COUNTED + 1);
    return found.map(({ values: [of = '', kind = ''], count, oldestAt }) => {
      return { tenant: of, kind, ...counted(count), oldestAt };
    });
  }

  override async stuck(tenant: string | null): Promise<readonly StuckLane[]> {
    const values = [MOST_STUCK, MOST_COMMANDS, tenant];
    const { rows } = await this.database.query<StuckLane & { [column: string]: unknown }>(STUCK_LANES, values);
    return rows;
  }

  /** Each once, of whichever replica has it the longest. */
  override async pauses(tenant: string | null): Promise<readonly PlatformPause[]> {
    const listed = await this.platform.list(tenant);
    const all = listed.toSorted((one, other) => one.until.getTime() - other.until.getTime());
    const pauses = all.map(({ tenant: of, route, cause, since, until }) => ({
      tenant: of,
      route,
      cause,
      since,
      until,
    }));
    return [...new Map(pauses.map((pause) => [`${pause.tenant} ${pause.route}`, pause])).values()];
  }
}
