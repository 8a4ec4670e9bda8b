import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { FilesRepository } from '../files/files.repository.ts';
import { Ids } from '../runtime/ids.service.ts';
import { Signals } from '../runtime/signals.service.ts';
import { OperationsRepository, type Operation } from './operations.repository.ts';

export interface Accepted {
  readonly operationId: string;
}

/**
 * The integration API's side of an asynchronous call: it validates nothing, queues everything and answers with an
 * operation id (docs/platform.md, "Behaviour rules" 1 and 2). The operations are stored before the answer.
 */
@Injectable()
export class AcceptOperation {
  constructor(
    private readonly database: Database,
    private readonly files: FilesRepository,
    private readonly operations: OperationsRepository,
    private readonly ids: Ids,
    private readonly signals: Signals,
  ) {}

  /** Queues one operation per item; `files` are the uploads of the call. */
  async accept(
    { contractAccountId, directive }: Pick<Operation, 'contractAccountId' | 'directive'>,
    kind: string,
    items: readonly unknown[],
    files: readonly { readonly id: string }[] = [],
  ): Promise<Accepted> {
    const operationId = this.ids.newGuid();
    const payloads = items.map((item) => JSON.stringify(item));
    const operation = { operationId, contractAccountId, kind, payloads, directive };
    if (files.length === 0) await this.operations.add(operation);
    else
      await this.database.transaction(async (tx) => {
        await this.files.accept(files, tx);
        await this.operations.add(operation, tx);
      });
    this.signals.core.give();
    return { operationId };
  }
}
