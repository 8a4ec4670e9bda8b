import { type Alongside, type BulkAction, type BulkFilter, BulkTarget } from '@gondola/lanes/jobs/bulk-target';
import { countGroups } from '@gondola/lanes/store/count-groups';
import { counted, MOST_COUNTED } from '@gondola/service-kit/http/counted.dto';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { QuarantineGroup } from './quarantine.dto.ts';
import { QuarantineRepository } from './quarantine.repository.ts';
import { SettleQuarantined } from './settle-quarantined.service.ts';

const CAUSES = {
  table: 'quarantine',
  where: "state = 'open'",
  by: ['tenant', 'reason', 'detail'],
  time: 'received_at',
};

/** Open entries of the quarantine, for jobs and by cause. Tested in quarantine-jobs.int.spec.ts. */
@Injectable()
export class OpenQuarantine extends BulkTarget {
  readonly actions = ['reprocess', 'discard'] as const;

  constructor(
    private readonly database: Database,
    private readonly quarantine: QuarantineRepository,
    private readonly settling: SettleQuarantined,
  ) {
    super();
  }

  async count(filter: BulkFilter, atMost: number): Promise<number> {
    return (await this.places(filter, '', atMost)).length;
  }

  /** The oldest first, so that an entity's notifications are stored in the order of arrival. */
  async places(filter: BulkFilter, after: string, limit: number): Promise<string[]> {
    return this.quarantine.openIds(filter, after === '' ? '0' : after, limit);
  }

  async change(place: string, action: BulkAction, note: string, alongside: Alongside): Promise<void> {
    await (action === 'reprocess'
      ? this.settling.reprocess(place, alongside)
      : this.settling.discard(place, note, alongside));
  }

  /** Open entries by tenant, reason and detail. */
  async groups(tenant: string | null): Promise<QuarantineGroup[]> {
    const found = await countGroups(this.database, CAUSES, tenant, MOST_COUNTED + 1);
    return found.map(({ values: [of = '', reason = '', detail = ''], count, ...age }) => {
      return { tenant: of, reason, detail, ...counted(count), ...age };
    });
  }
}
