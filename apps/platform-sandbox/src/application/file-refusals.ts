import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { CoreRefusal } from '../domain/core-error.ts';
import type { JsonObject } from '../domain/exact-json.ts';
import { filesRefused } from '../domain/files/file-notifications.ts';
import type { FileType } from '../domain/files/stored-file.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';

/** Tells that the core refused an operation on files. */
@Injectable()
export class FileRefusals {
  constructor(
    private readonly notifier: Notifier,
    private readonly ids: Ids,
  ) {}

  /** `data` names the entity. */
  async tell(
    tx: Tx,
    { operationId, contractAccountId }: Operation,
    { fileType, data }: { fileType: FileType; data: JsonObject },
    refusal: CoreRefusal,
  ): Promise<void> {
    const context = { instance: '/v1/gateway/files', traceId: this.ids.newTraceId() };
    await this.notifier.notify(tx, filesRefused({ operationId, contractAccountId, fileType, data }, refusal, context));
  }
}
