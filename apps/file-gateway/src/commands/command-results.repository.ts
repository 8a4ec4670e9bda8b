import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import type { Result } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import { CommandResultEntity } from './command-result.entity.ts';

/** Results are stored for the same time as the records of uploads. */
const KEPT = "interval '30 days'";
export const OLDEST_RESULT = `SELECT min(saved_at) + ${KEPT} AS due FROM command_results`;

/** The table `command_results`. */
@Injectable()
export class CommandResultsRepository {
  constructor(private readonly database: Database) {}

  /** Null while the command is open, after 30 days, and after an erasure. */
  async find(commandRowId: string): Promise<Result | null> {
    const found = await this.database.repository(CommandResultEntity).findOneBy({ commandRowId });
    return (found?.result ?? null) as Result | null;
  }

  async save(tx: Tx, { id, laneId }: { readonly id: string; readonly laneId: string }, result: Result): Promise<void> {
    await this.database.repository(CommandResultEntity, tx).insert({ commandRowId: id, laneId, result });
  }

  async erase(tx: Tx, laneId: string): Promise<void> {
    await this.database.repository(CommandResultEntity, tx).delete({ laneId });
  }

  async deleteOld(): Promise<void> {
    await deleteInSteps(this.database, 'command_results', `saved_at < clock_timestamp() - ${KEPT}`, []);
  }
}
