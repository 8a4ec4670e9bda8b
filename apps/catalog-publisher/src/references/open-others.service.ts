import { Commands, type OpenOfTopic } from '@gondola/lanes/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';
import { ReferencesRepository } from './references.repository.ts';

/** More than this many open records are rarely all of moves; the rest is looked at once these have ended. */
const MAX_OPEN = 5_000;

/** Open records of other lanes that may change the answer to a record. */
@Injectable()
export class OpenOthers {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly references: ReferencesRepository,
  ) {}

  /**
   * The ones among brands to be removed of which each product has an open record that was written before the removal,
   * and may take the brand from it. The products are read once more behind their records: one whose record ended in
   * between counts by what that did.
   *
   * @param removals `id` of the command, and its brand
   */
  async mayBecomeFree(
    tenant: string,
    removals: readonly { readonly id: string; readonly brand: string }[],
  ): Promise<Set<string>> {
    if (removals.length === 0) return new Set();
    const brands = removals.map(({ brand }) => brand);
    const users = await this.references.users(this.database, tenant, 'brand', brands);
    const asked = removals.flatMap(({ id, brand }) =>
      (users.get(brand) ?? []).map((laneId) => ({ laneId, commandId: id })),
    );
    const open = await this.commands.withEarlier(this.database, asked);
    const still = await this.references.users(this.database, tenant, 'brand', brands);
    const free = removals.filter(({ id, brand }) => {
      const staying = new Set((users.get(brand) ?? []).filter((laneId) => !open.has(`${laneId}/${id}`)));
      return !(still.get(brand) ?? []).some((laneId) => staying.has(laneId));
    });
    return new Set(free.map(({ brand }) => brand));
  }

  /** Open records of categories, in the order in which they arrived. */
  categories(tenant: string): Promise<OpenOfTopic[]> {
    return this.commands.openOfTopic(this.database, { tenant, topic: CATALOG_TOPICS.category }, MAX_OPEN);
  }
}
