import { Database } from '@gondola/service-kit/database/database';
import { Controller, Get, NotFoundException, Param, Query } from '@nestjs/common';
import type { JsonObject } from '../../domain/exact-json.ts';
import { RejectionEntity } from '../../outbound/rejection.entity.ts';
import { OperationLogRepository, type LoggedOperation } from '../../outbound/operation-log.repository.ts';
import { MAX_ENTRIES, afterOf } from './after.ts';

/** What became of accepted calls, and why the core refused what it did. */
@Controller('admin/operations')
export class AdminOperationsController {
  constructor(
    private readonly database: Database,
    private readonly operations: OperationLogRepository,
  ) {}

  @Get()
  async all(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    return (await this.operations.after(afterOf(after), MAX_ENTRIES)).map(shown);
  }

  @Get(':operationId')
  async one(@Param('operationId') operationId: string): Promise<JsonObject> {
    const operation = await this.operations.find(operationId);
    if (operation === undefined) {
      throw new NotFoundException({ code: 'UNKNOWN', message: 'There is no such operation, or it is forgotten' });
    }
    const query = { where: { operationId }, order: { id: 'ASC' }, take: MAX_ENTRIES } as const;
    const rejections = await this.database.repository(RejectionEntity).find(query);
    return {
      ...shown(operation),
      rejections: rejections.map(({ at, eventType, about, sku, error }) => ({
        at: at.toISOString(),
        eventType,
        about,
        sku,
        error,
      })),
    };
  }
}

function shown({ acceptedAt, endedAt, ...operation }: LoggedOperation): JsonObject {
  return { ...operation, acceptedAt: acceptedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
}
