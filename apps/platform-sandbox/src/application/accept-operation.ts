import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { FilesRepository } from '../outbound/files.repository.ts';
import { OperationsRepository, type NewOperation } from '../outbound/operations.repository.ts';
import { Doorbells } from './doorbell.ts';
import { Ids } from './ids.ts';

/**
 * The integration API's side of an asynchronous call: nothing is validated, everything is queued, and the answer is an
 * operation id (docs/platform.md, "Behaviour rules" 1 and 2). What was answered is in the database.
 */
@Injectable()
export class AcceptOperation {
  constructor(
    private readonly database: Database,
    private readonly files: FilesRepository,
    private readonly operations: OperationsRepository,
    private readonly ids: Ids,
    private readonly doorbells: Doorbells,
  ) {}

  /** `fileIds` are those of files that the call brought, and that the operation is about. */
  async accept(operation: Omit<NewOperation, 'operationId'>, fileIds: readonly string[] = []): Promise<string> {
    const operationId = this.ids.newGuid();
    if (fileIds.length === 0) await this.operations.add({ ...operation, operationId });
    else
      await this.database.transaction(async (tx) => {
        await this.files.accept(fileIds, tx);
        await this.operations.add({ ...operation, operationId }, tx);
      });
    this.doorbells.core.ring();
    return operationId;
  }
}
