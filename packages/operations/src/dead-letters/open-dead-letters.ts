import { Injectable } from '@nestjs/common';

import { MOST_COUNTED, counted } from '@gondola/service-kit/http/counted.dto';
import { Database } from '@gondola/service-kit/database/database';

import { type Alongside, type BulkAction, type BulkFilter, BulkTarget } from '@gondola/lanes/jobs/bulk-target';
import { countGroups } from '@gondola/lanes/store/count-groups';
import type { DeadLetterGroup } from '@gondola/lanes/dead-letters/dead-letters.dto';
import { DeadLetters } from '@gondola/lanes/dead-letters/dead-letters';
import { conditionOf } from '@gondola/lanes/dead-letters/letter-filter';

const CAUSES = {
  table: 'dead_letters',
  where: "state = 'open'",
  by: ["coalesce(tenant, '')", 'reason_code', 'topic'],
  time: 'dead_at',
};

/** Open dead letters, for jobs and by cause. Tested in dead-letters.int.spec.ts and run-bulk-jobs.int.spec.ts. */
@Injectable()
export class OpenDeadLetters extends BulkTarget {
  readonly actions = ['redrive', 'discard'] as const;

  constructor(
    private readonly database: Database,
    private readonly deadLetters: DeadLetters,
  ) {
    super();
  }

  async count(filter: BulkFilter, atMost: number): Promise<number> {
    const values: unknown[] = [atMost];
    const condition = conditionOf({ ...filter, state: 'open' }, values);
    const { rows } = await this.database.query<{ letters: number }>(
      `SELECT count(*)::integer AS letters FROM (SELECT 1 FROM dead_letters WHERE ${condition} LIMIT $1) AS matching`,
      values,
    );
    return rows[0]!.letters;
  }

  /** Places are in the order of the original records, so that records of one key are redriven in their order. */
  async places(filter: BulkFilter, after: string, limit: number): Promise<string[]> {
    const [topic, partition, offset, id] = after === '' ? ['', 0, '0', ''] : (JSON.parse(after) as Place);
    const values: unknown[] = [limit, topic, partition, offset, id];
    const condition = conditionOf({ ...filter, state: 'open' }, values);
    const { rows } = await this.database.query<{ place: Place }>(
      `SELECT json_build_array(topic, partition, record_offset::text, id) AS place FROM dead_letters
       WHERE (topic, partition, record_offset, id) > ($2::text, $3::integer, $4::bigint, $5::text) AND ${condition}
       ORDER BY topic, partition, record_offset, id LIMIT $1`,
      values,
    );
    return rows.map(({ place }) => JSON.stringify(place));
  }

  async change(place: string, action: BulkAction, note: string, alongside: Alongside): Promise<void> {
    const [, , , id] = JSON.parse(place) as Place;
    await (action === 'redrive'
      ? this.deadLetters.redrive(id, alongside)
      : this.deadLetters.discard(id, note, alongside));
  }

  /** Open letters by tenant, reason and topic. */
  async groups(tenant: string | null): Promise<DeadLetterGroup[]> {
    const found = await countGroups(this.database, CAUSES, tenant, MOST_COUNTED + 1);
    return found.map(({ values: [tenant = '', reason = '', topic = ''], count, ...age }) => {
      return { tenant: tenant === '' ? null : tenant, reason, topic, ...counted(count), ...age };
    });
  }
}

type Place = readonly [topic: string, partition: number, offset: string, id: string];
